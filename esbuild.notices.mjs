// THIRD_PARTY_NOTICES.md: every package that is in a bundle, and the font, with the text of its licence. It is made of
// what the bundler says that it took, so that none is forgotten; the build fails where a package comes without a text.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Where texts are kept that a package comes without. */
const kept = "docs/licences";

/** What is copied beside the bundles, and what was done with it. */
const copied = { "node_modules/@vscode/codicons": "the icons that are used, as a font and a style sheet" };

/** The notices of what is in these bundles, whose paths begin at `root`; throws where a text is missing. */
export async function noticesOf(metafiles, root = ".") {
  const folders = new Set([...metafiles.flatMap(bundledFolders), ...Object.keys(copied)]);
  const read = await Promise.all([...folders].map((folder) => readPackage(root, folder)));
  const packages = read.map((one) =>
    one.texts.length > 0 ? one : { ...one, texts: textsOfRepository(one, read) },
  );
  const lacking = packages.filter(({ texts }) => texts.length === 0);
  if (lacking.length > 0)
    throw new Error(`Bundled without a licence text: ${lacking.map(({ title }) => title).join(", ")}`);
  return written(packages);
}

/** Some packages leave the text to the repository that they share with others. */
function textsOfRepository({ repository, license }, packages) {
  const same = packages.find((other) => {
    return other.texts.length > 0 && other.repository === repository && other.license === license;
  });
  return repository === undefined ? [] : (same?.texts ?? []);
}

/** The folders of the packages of which something is in the outputs. */
function bundledFolders({ outputs }) {
  const taken = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return taken.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
}

async function readPackage(root, folder) {
  const { name, version, license, repository } = JSON.parse(
    await readFile(join(root, folder, "package.json"), "utf8"),
  );
  const files = (await readdir(join(root, folder)))
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .sort();
  const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), "utf8")));
  if (texts.length === 0) texts.push(...(await keptText(root, name)));
  const what = copied[folder] === undefined ? "" : `: ${copied[folder]}`;
  const filled = texts.map((text) => text.trim()).filter((text) => text !== "");
  const title = `${name} ${version} (${license})${what}`;
  return { title, license, repository: repository?.url ?? repository, texts: filled };
}

/** The text of a package that leaves it to its repository: a copy of that is kept here. */
async function keptText(root, name) {
  const text = await readFile(join(root, kept, `${name.replace("/", "-")}.md`), "utf8").catch(
    () => undefined,
  );
  return text === undefined ? [] : [text];
}

/** Packages with the same text share it. */
function written(packages) {
  const byText = new Map();
  for (const { title, texts } of packages.sort((one, other) => (one.title < other.title ? -1 : 1))) {
    const text = texts.join("\n\n");
    byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const parts = [...byText].map(([text, titles]) => {
    const list = [...new Set(titles)].map((title) => `- ${title}`).join("\n");
    return `${list}\n\n\`\`\`text\n${text.replaceAll("```", "'''")}\n\`\`\``;
  });
  return `# Third-party notices\n\nAgent Operations contains these packages.\n\n${parts.join("\n\n---\n\n")}\n`;
}
