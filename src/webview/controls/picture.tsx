import { useState } from "preact/hooks";

import type { Picture } from "../../run/json/pictures.ts";
import { post } from "../kit/host.ts";
import { count, size } from "../kit/measures.ts";
import { IconButton } from "./button.tsx";

/** Pictures that came as data, each with what it is and a way to keep it. */
export function Pictures({ pictures = [] }: { readonly pictures: readonly Picture[] | undefined }) {
  return (
    <>
      {pictures.map((picture, index) => (
        <Framed key={index} picture={picture} />
      ))}
    </>
  );
}

function Framed({ picture }: { readonly picture: Picture }) {
  const { type, data, width, height } = picture;
  const [isDamaged, setDamaged] = useState(false);
  const kind = type.slice("image/".length).toUpperCase();
  const facts = `${kind}, ${count(width)} × ${count(height)} pixels, ${size(Math.round(data.length * 0.75), "bytes")}`;
  return (
    <figure class="picture">
      {isDamaged ? (
        <p class="none">This picture can't be drawn: its data is damaged.</p>
      ) : (
        <img
          src={`data:${type};base64,${data}`}
          alt={`Picture, ${facts}`}
          width={width}
          height={height}
          decoding="async"
          onError={() => setDamaged(true)}
        />
      )}
      <figcaption>
        <span class="fact">{facts}</span>
        <IconButton icon="save" label="Save Picture" onClick={() => post({ type: "savePicture", data })} />
      </figcaption>
    </figure>
  );
}
