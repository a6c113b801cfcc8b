import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'

/** A statement that a real system wrote. `source` is its pool or system; candidates of one source are correlated. */
export interface PoolCandidate {
  readonly sql: string
  readonly source: string
  /** Its place within the source, from 0, in the order of the model. */
  readonly rank: number
}

const statement = z.object({ sql: z.string().nullish() })

/** Labels (whether a candidate ran, whether it was right) are left out, so that no selector can see them. */
const lineSchema = z.object({
  id: z.union([z.string(), z.number().transform(String)]),
  pools: z.record(z.string(), z.array(statement)).default({}),
  systems: z.record(z.string(), statement).default({}),
})

/** The candidates of one question. */
export type PoolLine = z.output<typeof lineSchema>

/** Candidates by the id of their question. */
export type Pools = ReadonlyMap<string, PoolLine>

const unzip = promisify(gunzip)

/** Reads a file of candidates (JSON lines, gzipped or not). Throws `QuerentError('bad-arguments')`. */
export const readPoolsFile = async (path: string): Promise<Pools> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `Cannot read the file of candidates ${path}. Check the path.`, {
      cause,
    })
  })
  const text = (isGzip(bytes) ? await unzip(bytes) : bytes).toString('utf8')
  const pools = new Map<string, PoolLine>()
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = parseLine(written)
    if (line === null)
      throw new QuerentError(
        'bad-arguments',
        `${path}, line ${index + 1}: This must be {"id", "pools"} or {"id", "systems"}.`,
      )
    const known = pools.get(line.id)
    pools.set(
      line.id,
      known === undefined
        ? line
        : {
            ...known,
            pools: { ...known.pools, ...line.pools },
            systems: { ...known.systems, ...line.systems },
          },
    )
  }
  return pools
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const parseLine = (written: string): PoolLine | null => {
  try {
    return lineSchema.parse(JSON.parse(written))
  } catch {
    return null
  }
}

/** The candidates of a question, one of each source in turn. Throws `QuerentError('bad-arguments')` for an unknown name. */
export const poolCandidates = (line: PoolLine, spec: PoolSpec): readonly PoolCandidate[] => {
  const lists = spec.names.map(source => {
    const list = spec.from === 'systems' ? asList(line.systems[source]) : line.pools[source]
    if (list === undefined) {
      const names = Object.keys(spec.from === 'systems' ? line.systems : line.pools)
      throw new QuerentError(
        'bad-arguments',
        `There is no candidate of “${source}” for ${line.id}. Candidates: ${names.join(', ')}.`,
      )
    }
    return list.map(({ sql }, rank) => ({ sql: sql ?? '', source, rank }))
  })
  const longest = Math.max(0, ...lists.map(list => list.length))
  return Array.from({ length: longest }, (_, rank) =>
    lists.flatMap(list => (list[rank] === undefined ? [] : [list[rank]])),
  ).flat()
}

const asList = <T>(item: T | undefined): readonly T[] | undefined => (item === undefined ? undefined : [item])

/**
 * Which candidates take part: of a pools file samples of named pools or one answer each of named systems, or the
 * semantic parser's interpretations of the question.
 */
export interface PoolSpec {
  readonly from: 'pools' | 'systems' | 'readings'
  /** In turn: the first of each, then the second of each. */
  readonly names: readonly string[]
}

/** The source of the semantic parser's interpretations. */
export const parserSource = 'readings'

/** Reads `gpt4_10`, `gpt4_10+dailsql10`, `systems:A,B` or `readings`. Throws `QuerentError('bad-arguments')`. */
export const parsePoolSpec = (text: string): PoolSpec => {
  if (text.trim() === parserSource) return { from: 'readings', names: [parserSource] }
  const systems = /^systems:(.+)$/.exec(text)?.[1]
  const names = (systems === undefined ? text.split('+') : systems.split(',')).map(name => name.trim())
  if (names.some(name => name === ''))
    throw new QuerentError(
      'bad-arguments',
      `“${text}” does not name a pool. Write the name of a pool, several joined by +, or systems:A,B,C.`,
    )
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new QuerentError('bad-arguments', `“${text}” names ${twice} twice. Name it once.`)
  return { from: systems === undefined ? 'pools' : 'systems', names }
}
