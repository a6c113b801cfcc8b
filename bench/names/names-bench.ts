import type { NamesServer } from '../../test/databases/guard/names/names-servers.ts'
import { namesServers } from './servers.ts'

/** Options of the command line. */
export interface NamesBench {
  readonly only: readonly string[]
  /** Null for what each mode takes by default. */
  readonly statements: number | null
  readonly seed: number
  readonly json: boolean
  /** Also print why statements were refused. */
  readonly reasons: boolean
  /** Known answers to run on SQLite, too. */
  readonly golds: { readonly questions: string; readonly databases: string } | null
}

/** Does the same on each server that was asked for, one after the other. */
export const onEachServer = async <T>(
  { only }: NamesBench,
  work: (server: NamesServer, name: string) => Promise<T>,
): Promise<Record<string, T>> => {
  const results: Record<string, T> = {}
  for (const name of only) {
    const start = namesServers[name]
    if (start === undefined)
      throw new Error(`there is no ${name}, only ${Object.keys(namesServers).join(', ')}`)
    const { server, stop } = await start()
    try {
      results[name] = await work(server, name)
    } finally {
      await stop()
    }
  }
  return results
}

/** The most frequent of counted things, one a line. */
export const mostFrequent = (counts: ReadonlyMap<string, number>, lines: number): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, lines)
    .map(([what, count]) => `${String(count).padStart(6)}  ${what}\n`)
    .join('')
