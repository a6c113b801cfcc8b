import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { buildValueIndex } from '../../databases/value-index/build-value-index.ts'
import { QuerentError } from '../../domain/errors.ts'
import { percentile } from '../../evaluation/statistics.ts'
import type { CommandContext } from '../command-context.ts'
import { benchCopy, evaluationCopy } from '../copy/evaluation.ts'
import { unreadableFile } from '../copy/phrases.ts'
import { writeJson } from '../terminal.ts'

const query = z.object({
  kind: z.string(),
  target: z.string(),
  keyword: z.string(),
  /** False if more values match the keyword than can be shown. */
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

/** Figures of building an index over one column of values, and of its lookups. */
export interface IndexFigures extends LookupFigures {
  readonly n: number
  readonly buildSeconds: number
  /** In memory, texts not counted. */
  readonly indexBytes: number
}

/** Builds a value index over one column of values, and measures lookups. */
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

/** `bench values`: measures how fast the value index is, and how often it finds the right value for a noisy keyword. */
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
    benchCopy.index(n, buildSeconds, indexBytes),
    benchCopy.lookup(p50, p95),
    benchCopy.recall(recall10),
    ...Object.entries(recall10ByKind).map(([kind, recall]) => benchCopy.recallOfKind(kind, recall)),
  ].join('\n')

const linesOf = async (path: string, option: string): Promise<readonly string[]> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new QuerentError('bad-arguments', unreadableFile(path, option), {
      cause: error,
    })
  })
  return text.split(/\r?\n/).filter(line => line !== '')
}

const readQuery = (line: string, number: number): RetrievalQuery => {
  try {
    return query.parse(JSON.parse(line))
  } catch (error) {
    throw new QuerentError('bad-arguments', evaluationCopy.badQuery(number), { cause: error })
  }
}

/** Figures of lookups. Times are milliseconds, recalls are shares of the queries. */
interface LookupFigures {
  readonly p50: number
  readonly p95: number
  /** The share of queries with the target among the first ten. */
  readonly recall10: number
  readonly recall10ByKind: Readonly<Record<string, number>>
}

/** A keyword, and the value that it should find. */
export interface Lookup {
  readonly kind: string
  readonly target: string
  readonly keyword: string
}

/** Lookups before measuring, so that the code is compiled. */
export const warmUpLookups = 100

/** Looks up every query once, after a warm-up, and checks for its target among the first ten results. */
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

/** Sums up the times and results of lookups. */
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
