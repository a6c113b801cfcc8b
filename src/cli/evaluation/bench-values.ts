import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { buildValueIndex } from '../../databases/value-index/build-value-index.ts'
import { QuerentError } from '../../domain/errors.ts'
import { percentile } from '../../evaluation/statistics.ts'
import type { CommandContext } from '../command-context.ts'
import { writeJson } from '../terminal.ts'

const query = z.object({
  kind: z.string(),
  target: z.string(),
  keyword: z.string(),
  /** False where more values answer to the keyword than can be shown. */
  decidable: z.boolean().default(true),
})

/** A noisy keyword and the value that it was made from. */
type RetrievalQuery = z.infer<typeof query>

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

/** How well and how fast lookups went. Times in milliseconds, recalls as shares of the queries. */
interface LookupFigures {
  readonly p50: number
  readonly p95: number
  /** How often the target was among the first ten. */
  readonly recall10: number
  readonly recall10ByKind: Readonly<Record<string, number>>
}

/** A keyword, and the value that it should find. */
export interface Lookup {
  readonly kind: string
  readonly target: string
  readonly keyword: string
}

/** The first calls are spent on compiling. */
export const warmUpLookups = 100

/** Asks every query once, after a few that are not counted, and looks for its target among the first ten answers. */
const measureLookups = (
  find: (keyword: string) => readonly string[],
  queries: readonly Lookup[],
  now: () => number,
): LookupFigures => {
  for (const { keyword } of queries.slice(0, warmUpLookups)) find(keyword)
  return lookupFigures(
    queries.map(query => {
      const started = now()
      const values = find(query.keyword)
      return { query, milliseconds: now() - started, values }
    }),
  )
}

/** Sums up what lookups took and gave. */
export const lookupFigures = (
  lookups: readonly {
    readonly query: Lookup
    readonly milliseconds: number
    readonly values: readonly string[]
  }[],
): LookupFigures => {
  const times = lookups.map(({ milliseconds }) => milliseconds)
  const kinds = new Map<string, { asked: number; found: number }>()
  let found = 0
  for (const { query, values } of lookups) {
    const tally = kinds.get(query.kind) ?? { asked: 0, found: 0 }
    kinds.set(query.kind, tally)
    tally.asked += 1
    if (!values.slice(0, 10).includes(query.target)) continue
    tally.found += 1
    found += 1
  }
  return {
    p50: percentile(times, 0.5) ?? 0,
    p95: percentile(times, 0.95) ?? 0,
    recall10: lookups.length === 0 ? 0 : found / lookups.length,
    recall10ByKind: Object.fromEntries([...kinds].map(([kind, tally]) => [kind, tally.found / tally.asked])),
  }
}
