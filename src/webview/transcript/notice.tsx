import type { NoticeEntry } from "../../run/panel/transcript.ts";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";

/** Something the user should know; its evidence one click away. */
export function Notice({ notice }: { readonly notice: NoticeEntry }) {
  const { detail } = notice;
  const line = (
    <>
      <Icon name={notice.level} />
      <span class="notice-text">
        <Literal text={notice.text} />
      </span>
    </>
  );
  if (detail === undefined) return <div class={`notice ${notice.level}`}>{line}</div>;
  return (
    <Disclosure id={notice.id} class={`notice ${notice.level}`} summary={line}>
      {() => <LongText text={detail} label="details" />}
    </Disclosure>
  );
}
