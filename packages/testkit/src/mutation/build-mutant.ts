import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildContext, context, type Plugin } from "esbuild";
import { ROOT } from "../checks/workspace.js";
import type { Mutant } from "./mutant.js";

/** Builds an entry of this package from the sources of all packages, one of them mutated. */
export class MutantBuilder {
  readonly #context: BuildContext;
  readonly #current: { mutant: Mutant | null; applied: boolean };

  private constructor(built: BuildContext, current: { mutant: Mutant | null; applied: boolean }) {
    this.#context = built;
    this.#current = current;
  }

  /** @param entry - a file of `packages/testkit/src`, bundled for Node with nothing left to import */
  static async of(entry: string, format: "cjs" | "esm"): Promise<MutantBuilder> {
    const current = { mutant: null as Mutant | null, applied: false };
    const built = await context({
      entryPoints: [join(ROOT, "packages/testkit/src", entry)],
      bundle: true,
      write: false,
      platform: "node",
      target: "node20",
      format,
      logLevel: "silent",
      plugins: [sources, mutate(current)],
    });
    return new MutantBuilder(built, current);
  }

  /**
   * Builds with a mutant, or with none.
   *
   * @returns the code
   * @throws Error when the mutant's text does not stand exactly once in a file that is built
   */
  async build(mutant: Mutant | null): Promise<string> {
    this.#current.mutant = mutant;
    this.#current.applied = false;
    const { outputFiles } = await this.#context.rebuild();
    if (mutant !== null && !this.#current.applied) throw new Error(`${mutant.file} is not part of the build`);
    return outputFiles?.[0]?.text ?? "";
  }

  async dispose(): Promise<void> {
    await this.#context.dispose();
  }
}

/** Packages of the workspace are built from their sources. */
const sources: Plugin = {
  name: "sources",
  setup(build) {
    build.onResolve({ filter: /^@sinkwire\/[a-z-]+$/ }, ({ path }) => ({
      path: join(ROOT, "packages", path.slice("@sinkwire/".length), "src/index.ts"),
      sideEffects: false,
    }));
  },
};

const mutate = (current: { mutant: Mutant | null; applied: boolean }): Plugin => ({
  name: "mutate",
  setup(build) {
    build.onLoad({ filter: /packages\/[a-z-]+\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const { mutant } = current;
      if (mutant === null || path !== join(ROOT, "packages", mutant.file)) return { contents: text, loader: "ts" };
      const [before, after, ...more] = text.split(mutant.find);
      if (after === undefined || more.length > 0) {
        throw new Error(
          `${mutant.name}: the text stands ${after === undefined ? 0 : more.length + 1} times in ${mutant.file}`,
        );
      }
      current.applied = true;
      return { contents: before + mutant.replace + after, loader: "ts" };
    });
  },
});
