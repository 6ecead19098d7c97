import { open } from "node:fs/promises";

/** A text file that another process appends to. */
export interface FollowedFile {
  /** Everything read so far. */
  text(): string;
  /** Reads what is left and stops following. */
  end(): Promise<void>;
}

const intervalMs = 100;

/** Creates the file and hands every piece of text that is appended to it to `onText`, as it comes. */
export async function followFile(path: string, onText: (text: string) => void): Promise<FollowedFile> {
  const file = await open(path, "a+");
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(65_536);
  let position = 0;
  let text = "";
  let reading = Promise.resolve();
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const piece = decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      text += piece;
      onText(piece);
    }
  };
  const timer = setInterval(() => {
    reading = reading.then(readOn);
  }, intervalMs);
  return {
    text: () => text,
    end: async () => {
      clearInterval(timer);
      await reading.then(readOn);
      await file.close();
    },
  };
}
