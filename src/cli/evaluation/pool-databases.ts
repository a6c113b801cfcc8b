import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeRenderPair } from '../../bootstrap/answering/render-pairs.ts'
import { makeResources } from '../../bootstrap/resources.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type { Database } from '../../domain/database.ts'
import { QuerentError, SqlError } from '../../domain/errors.ts'
import type { ResultHead } from '../../domain/result.ts'
import { evaluationLimits } from '../../evaluation/evaluation-database.ts'
import type { ExecutePoolsInput } from '../../evaluation/execute-pools.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { makeParseQuestion } from '../../parser/interpret-question.ts'
import { trainedModel } from '../../parser/rank/model.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { makeFindEvidence } from '../../ranking/evidence.ts'
import { columnsKey, resultKey } from '../../ranking/result-key.ts'
import { findMeantPhrases } from '../../semantic-layer/ask/meant-phrases.ts'
import type { CommandContext } from '../command-context.ts'
import { evaluationCopy } from '../copy/evaluation.ts'

/** Rows that are kept of a result, to distinguish it from others. */
const HEAD_ROWS = 3

/** Interpretations that count as independent evidence; later ones rarely matter. */
const MAX_INTERPRETATIONS = 10

const parse = makeParseQuestion(trainedModel)

const findEvidence = makeFindEvidence(findMeantPhrases)

/** Catalogs and results that are kept after their database was closed, to measure clarifications. */
export interface PoolMemory {
  readonly catalogs: Map<string, Catalog>
  /** By the key of the group. */
  readonly heads: Map<string, ResultHead>
}

/** Opens each database of a pool with resources of its own, so that closing it releases all of them. */
export const makeOpenPoolDatabase =
  (
    databases: string,
    { config, log, terminal, now, shell }: CommandContext,
    seen?: PoolMemory,
  ): ExecutePoolsInput['open'] =>
  async (dbId, { signal }) => {
    const resources = makeResources(
      { ...config, limits: evaluationLimits },
      { log, shell, asOf: dayOf(now, config.timeZone) },
    )
    try {
      const database = await resources.openDatabase(
        evaluationDatabaseReference(databases, dbId, terminal.folder),
        {
          signal,
        },
      )
      seen?.catalogs.set(dbId, database.catalog)
      return {
        ...toPoolDatabase(database, resources.release, seen),
        renderPair: makeRenderPair(database, {
          seesRows: config.models?.judgeSeesRows ?? true,
          now: () => now,
          timeZone: config.timeZone,
        }),
        read: question =>
          parse(
            {
              understanding: understandQuestion(question, { now: () => now, timeZone: config.timeZone }),
              ...database,
            },
            { limit: MAX_INTERPRETATIONS },
          ),
      }
    } catch (error) {
      await resources.release()
      throw error
    }
  }

/** Adapts a database for running a pool. */
export const toPoolDatabase = (
  database: Database,
  close: () => Promise<void>,
  seen?: PoolMemory,
): Awaited<ReturnType<ExecutePoolsInput['open']>> => ({
  close,
  execute: async (sql, run) => {
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
    return database.run(verdict.guarded, run)
  },
  toRun: ({ sql, question, table }) => {
    // Rows are compared in any order, so that ORDER BY does not separate a candidate from the others.
    const groupKey = resultKey(table, { ordered: false })
    const { columns, rows } = table
    seen?.heads.set(groupKey, { columns, rows: rows.slice(0, HEAD_ROWS), rowCount: rows.length })
    return {
      groupKey,
      columnsKey: columnsKey(table),
      evidence: findEvidence({ sql, question, table }, database),
    }
  },
})

/**
 * `DIR/<db_id>.sqlite`, BIRD's `DIR/<db_id>/<db_id>.sqlite`, the URL of a server with the id in it, or the path of a file
 * with the id in it (`duckdb:DIR/{db_id}.duckdb`).
 */
export const evaluationDatabaseReference = (databases: string, dbId: string, folder: string): string => {
  if (/^[a-z]+:\/\//i.test(databases)) {
    if (!databases.includes('{db_id}')) {
      throw new QuerentError('bad-arguments', evaluationCopy.urlWithoutId)
    }
    return databases.replaceAll('{db_id}', encodeURIComponent(dbId))
  }
  const [, scheme, path] = /^([a-z]+):([^/].*|\/(?!\/).*)$/i.exec(databases) ?? []
  if (scheme !== undefined && path?.includes('{db_id}'))
    return `${scheme}:${resolve(folder, path.replaceAll('{db_id}', dbId))}`
  const base = resolve(folder, databases)
  const files = [join(base, `${dbId}.sqlite`), join(base, dbId, `${dbId}.sqlite`)]
  const found = files.find(file => existsSync(file))
  if (!found) throw new QuerentError('bad-arguments', evaluationCopy.noDatabase(dbId, files))
  return `sqlite:${found}`
}
