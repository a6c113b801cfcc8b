import { toPoolDatabase } from '../../src/cli/evaluation/pool-databases.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import { executePools, type PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { openEvaluated } from '../open-evaluated.ts'

const limits = { timeoutMs: 30_000, maxRows: 1_000_000, maxBytes: 500_000_000 }

/** A question with all of its candidates run, and the catalog of its database. */
export interface RunQuestion extends PoolQuestion {
  readonly question: string
  readonly catalog: Catalog
}

/** Runs the candidates of pools, by the names of the pools as they are given (`a+b`, `systems:x,y`). */
export const readPools = async (input: {
  readonly pools: string
  readonly questions: string
  readonly databases: string
  readonly names: readonly string[]
}): Promise<ReadonlyMap<string, readonly RunQuestion[]>> => {
  const lines = selectUsable(await readQuestionsFile(input.questions))
  const catalogs = new Map<string, Catalog>()
  const executed = await executePools({
    lines,
    pools: await readPoolsFile(input.pools),
    specs: Object.fromEntries(input.names.map(name => [name, parsePoolSpec(name)])),
    timeoutMs: limits.timeoutMs,
    signal: new AbortController().signal,
    open: async dbId => {
      const { database, close } = await openEvaluated(input.databases, dbId, limits)
      catalogs.set(dbId, database.catalog)
      return toPoolDatabase(database, close)
    },
    onProgress: ({ done, total }) => process.stderr.write(`\r${done} of ${total} questions`),
  })
  process.stderr.write('\n')
  const asked = new Map(lines.map(({ id, question }) => [id, question]))
  return new Map(
    [...executed].map(([name, list]) => [
      name,
      list.map(one => ({
        ...one,
        question: asked.get(one.id) ?? '',
        catalog: catalogs.get(one.database) as Catalog,
      })),
    ]),
  )
}
