import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Extractor, ExtractorConfig, type ExtractorMessage } from "@microsoft/api-extractor";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryPoints, publicPackages, ROOT } from "../src/checks/workspace.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-api-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The public surface of one entry point, as `@microsoft/api-extractor` reports it from the built declarations. */
function apiReport(packageFolder: string, entry: string): string {
  const name = entry.slice(entry.lastIndexOf("/") + 1);
  const temporary = join(folder, basename(packageFolder), name);
  mkdirSync(temporary, { recursive: true });
  const declarations = entry === entryName(packageFolder) ? "index" : name;
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(packageFolder, "package.json"),
    configObject: {
      projectFolder: packageFolder,
      mainEntryPointFilePath: join(packageFolder, "dist", `${declarations}.d.ts`),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            ...{ target: "ES2022", module: "NodeNext", moduleResolution: "NodeNext", strict: true, types: ["node"] },
          },
          include: ["dist/*.d.ts"],
        },
      },
      apiReport: { enabled: true, reportFileName: "report", reportFolder: temporary, reportTempFolder: temporary },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
  const errors: string[] = [];
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message: ExtractorMessage) => {
      if (message.logLevel === "error") errors.push(message.text);
      message.handled = true;
    },
  });
  expect(errors).toEqual([]);
  return readFileSync(join(temporary, "report.api.md"), "utf8").replaceAll("\r\n", "\n");
}

function entryName(packageFolder: string): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { name: string }).name;
}

const entries = publicPackages(ROOT).flatMap((one) => entryPoints(one).map((entry) => ({ entry, folder: one.folder })));

test.for(entries)("the surface of $entry is the one checked in", async ({ entry, folder: packageFolder }) => {
  const file = `${entry === entryName(packageFolder) ? "index" : basename(entry)}.api.md`;
  await expect(apiReport(packageFolder, entry)).toMatchFileSnapshot(join(packageFolder, "api", file));
});
