import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { QuerentError } from '../core/errors.ts'
import { buildValueIndex } from '../databases/values/build-value-index.ts'
import type { CommandContext } from './command-context.ts'
import { type LookupFigures, measureLookups } from './measure-lookups.ts'
import { writeJson } from './write-json.ts'

const query = z.object({
  kind: z.string(),
  target: z.string(),
  keyword: z.string(),
  /** False where more values answer to the keyword than can be shown. */
  decidable: z.boolean().default(true),
})

/** A noisy keyword and the value that it was made from. */
export type RetrievalQuery = z.infer<typeof query>

/** Reads one value a line, and one query a line; queries that cannot be decided are left out. */
export const readRetrievalFiles = async (files: {
  readonly values: string
  readonly queries: string
}): Promise<{ readonly values: readonly string[]; readonly queries: readonly RetrievalQuery[] }> => {
  const values = [...new Set(await linesOf(files.values, '--values'))]
  const lines = await linesOf(files.queries, '--queries')
  const queries = lines.map((line, index) => readQuery(line, index + 1))
  return { values, queries: queries.filter(({ decidable }) => decidable) }
}

/** What building an index over one column of values and asking it came to. */
export interface IndexFigures extends LookupFigures {
  readonly n: number
  readonly buildSeconds: number
  /** In memory, texts not counted. */
  readonly indexBytes: number
}

/** Builds the value index over values, as over one column, and asks it. */
export const benchIndex = (
  values: readonly string[],
  queries: readonly RetrievalQuery[],
  now: () => number,
): IndexFigures => {
  const started = now()
  const index = buildValueIndex([{ table: 'values', column: 'value', values }])
  const buildSeconds = (now() - started) / 1000
  const find = (keyword: string) => index.find(keyword).map(({ value }) => value)
  return { n: index.size, buildSeconds, indexBytes: index.bytes, ...measureLookups(find, queries, now) }
}

/** `bench values`: how fast and how well the value index finds what noisy keywords were made from. */
export const runBenchValues = async (
  options: {
    readonly values?: string | undefined
    readonly queries?: string | undefined
    readonly json?: boolean | undefined
  },
  { terminal, clearProgress }: CommandContext,
): Promise<number> => {
  const { values, queries } = await readRetrievalFiles({
    values: resolve(terminal.folder, options.values ?? ''),
    queries: resolve(terminal.folder, options.queries ?? ''),
  })
  const figures = benchIndex(values, queries, () => performance.now())
  clearProgress()
  if (options.json) writeJson(terminal.out, figures)
  else terminal.out.write(`${describe(figures)}\n`)
  return 0
}

const describe = ({
  n,
  buildSeconds,
  indexBytes,
  p50,
  p95,
  recall10,
  recall10ByKind,
}: IndexFigures): string =>
  [
    `${n} values indexed in ${buildSeconds.toFixed(2)} s; ${(indexBytes / 1e6).toFixed(1)} MB without the texts`,
    `a lookup takes ${p50.toFixed(2)} ms (median), ${p95.toFixed(2)} ms (95 %)`,
    `among the ten best: ${recall10.toFixed(4)}`,
    ...Object.entries(recall10ByKind).map(([kind, recall]) => `  ${kind}: ${recall.toFixed(4)}`),
  ].join('\n')

const linesOf = async (path: string, option: string): Promise<readonly string[]> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new QuerentError('bad-arguments', `cannot read ${path}: check the path given to ${option}`, {
      cause: error,
    })
  })
  return text.split(/\r?\n/).filter(line => line !== '')
}

const readQuery = (line: string, number: number): RetrievalQuery => {
  try {
    return query.parse(JSON.parse(line))
  } catch (error) {
    throw new QuerentError(
      'bad-arguments',
      `line ${number} of the queries is not of the form {"kind": "...", "target": "...", "keyword": "..."}`,
      { cause: error },
    )
  }
}
