import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked } from "../src/checks/pack.js";
import { entryPoints, publicPackages, ROOT } from "../src/checks/workspace.js";

const packages = publicPackages(ROOT);
const names = packages.map(({ manifest }) => manifest.name);
const entries = packages.flatMap(entryPoints);

/** Holds the tarballs, and an installation of them that the empty projects below it share. */
let folder: string;
let tarballs: Map<string, string>;

async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** An empty project below the installation; `files` by name. */
function project(name: string, manifest: object, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify(manifest));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-packaging-"));
  tarballs = installPacked(ROOT, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.for(names)("the tarball of %s", (name) => {
  const tarball = (): string => tarballs.get(name) ?? "";

  test("resolves with the right types everywhere (attw)", async () => {
    await run(ROOT, "node_modules/.bin/attw", tarball());
  });

  test("has no packaging fault (publint)", async () => {
    await run(ROOT, "node_modules/.bin/publint", tarball(), "--strict");
  });

  test("carries its licence and notice, and no source or test", async () => {
    const files = (await run(ROOT, "tar", "-tzf", tarball())).trim().split("\n");
    expect(files).toEqual(expect.arrayContaining(["package/LICENSE", "package/NOTICE", "package/package.json"]));
    expect(files.filter((file) => /^package\/(src|test)\//.test(file))).toEqual([]);
  });
});

test.for(packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {})))(
  "the command %s starts",
  async (command) => {
    expect(await run(folder, join("node_modules", ".bin", command), "--help")).toContain(`Usage: ${command}`);
  },
);

test("every entry point gives the same names to import and to require", async () => {
  const list = JSON.stringify(entries);
  const esm = project(
    "esm",
    { type: "module" },
    {
      "index.js": `const names = {};
      for (const entry of ${list}) names[entry] = Object.keys(await import(entry)).sort();
      console.log(JSON.stringify(names));`,
    },
  );
  const cjs = project(
    "cjs",
    {},
    {
      "index.js": `const names = {};
      for (const entry of ${list}) names[entry] = Object.keys(require(entry)).sort();
      console.log(JSON.stringify(names));`,
    },
  );
  const imported = JSON.parse(await run(esm, process.execPath, "index.js")) as Record<string, string[]>;
  expect(JSON.parse(await run(cjs, process.execPath, "index.js"))).toEqual(imported);
  expect(Object.keys(imported)).toEqual(entries);
  expect(Object.values(imported).filter((exported) => exported.length === 0)).toEqual([]);
});

test("an ESM and a CJS copy in one process recognise each other's errors", async () => {
  const both = project(
    "both",
    { type: "module" },
    {
      "index.js": `import { createRequire } from "node:module";
      import * as esm from "@sinkwire/message";
      const cjs = createRequire(import.meta.url)("@sinkwire/message");
      const caught = ({ decodeMessage }) => { try { decodeMessage("{"); } catch (error) { return error; } };
      const recognised = (by, error) => by.isSinkwireError(error, "invalid_json") && !by.isSinkwireError(error, "integrity");
      console.log(JSON.stringify({
        copies: !(caught(cjs) instanceof esm.SinkwireError),
        cjsByEsm: recognised(esm, caught(cjs)),
        esmByCjs: recognised(cjs, caught(esm)),
      }));`,
    },
  );
  const seen = JSON.parse(await run(both, process.execPath, "index.js"));
  expect(seen).toEqual({ copies: true, cjsByEsm: true, esmByCjs: true });
});

describe.for(["typescript-5.4", "typescript"])("an empty project with %s", (compiler) => {
  const check = async (name: string, imports: readonly string[], types: readonly string[]): Promise<void> => {
    const source = `${imports.map((entry, i) => `import * as m${i} from "${entry}";`).join("\n")}
import { decodeMessage, type Message } from "@sinkwire/message";
export const modules: readonly object[] = [${imports.map((_, i) => `m${i}`).join(", ")}];
export const decode = (bytes: Uint8Array): Message => decodeMessage(bytes);
`;
    const path = project(
      `${name}-${compiler}`,
      {},
      {
        "esm.mts": source,
        "cjs.cts": source,
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...{ target: "ES2022", lib: ["ES2022"], module: "NodeNext", moduleResolution: "NodeNext", strict: true },
            ...{ noEmit: true, skipLibCheck: false, types, typeRoots: [join(ROOT, "node_modules", "@types")] },
          },
          files: ["esm.mts", "cjs.cts"],
        }),
      },
    );
    await run(path, process.execPath, join(ROOT, "node_modules", compiler, "bin", "tsc"));
  };

  test("compiles against every entry point", () => check("all", entries, ["node"]));
  test("compiles against the core with neither Node's nor the browser's types", () =>
    check("core", ["@sinkwire/message"], []));
});
