import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Vault, VaultError } from "../../../../src/emulator/access/vault.ts";

describe("the vault", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "vault-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it("opens what it sealed, also after a restart", () => {
    const sealed = new Vault(directory).seal("hush · 秘密", "destination 1");
    assert.equal(new Vault(directory).open(sealed, "destination 1"), "hush · 秘密");
  });

  it("never seals the same secret to the same bytes, nor to bytes that hold it", () => {
    const vault = new Vault(directory);
    const [one, two] = [vault.seal("open sesame", "x"), vault.seal("open sesame", "x")];
    assert.notDeepEqual(one, two);
    assert.equal(one.includes("sesame"), false);
  });

  it("refuses changed bytes, another purpose, another key and cut bytes", () => {
    const vault = new Vault(directory);
    const sealed = vault.seal("secret", "destination 1");
    const changed = Buffer.from(sealed);
    changed[changed.length - 1]! ^= 1;
    assert.throws(() => vault.open(changed, "destination 1"), VaultError);
    assert.throws(() => vault.open(sealed, "destination 2"), VaultError);
    assert.throws(() => vault.open(sealed.subarray(0, 20), "destination 1"), VaultError);
    assert.throws(() => vault.open(Buffer.alloc(0), "destination 1"), VaultError);
    rmSync(join(directory, "vault.key"));
    assert.throws(() => new Vault(directory).open(sealed, "destination 1"), VaultError);
  });

  it("keeps its key in a file that only the owner may read", () => {
    new Vault(directory).seal("secret", "x");
    const path = join(directory, "vault.key");
    if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readFileSync(path).length, 32);
  });

  it("says that a damaged key file is damaged instead of making a new one", () => {
    writeFileSync(join(directory, "vault.key"), "short");
    assert.throws(() => new Vault(directory).seal("secret", "x"), /vault\.key is damaged/);
  });
});
