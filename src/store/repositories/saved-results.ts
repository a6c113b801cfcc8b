import { z } from 'zod'
import type { ColumnMeaning } from '../../domain/metrics/answer-meaning.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { ResultColumn, ResultTable } from '../../domain/result.ts'
import type { EncodedCell } from '../results.ts'
import { StoredValueKind, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const SAVED_RESULTS = 'querent.saved_results'

/** A stored result. `head` is its first rows as plain JSON, `body` the stored rows, compressed. */
interface SavedResult {
  readonly id: string
  readonly questionId: string
  readonly canonicalHash: string
  readonly columns: readonly ResultColumn[]
  readonly head: readonly (readonly EncodedCell[])[]
  readonly body: Uint8Array
  readonly bodyRowCount: number
  readonly rowCount: number
  readonly truncated: ResultTable['truncated']
  readonly milliseconds: number
  readonly expiresAt: Date
}

const StoredColumn: z.ZodType<ResultColumn> = z.looseObject({
  name: z.string(),
  kind: StoredValueKind,
  meaning: z
    .custom<ColumnMeaning>(value => typeof value === 'object' && value !== null && 'role' in value)
    .exactOptional(),
})

const Row = z.object({
  columns: z.array(StoredColumn),
  body: z.instanceof(Uint8Array),
  truncated: z.enum(['rows', 'bytes']).nullable(),
  milliseconds: z.number(),
  expires_at: z.date(),
})

/** The fields needed to read a result back. */
interface FoundResult {
  readonly columns: readonly ResultColumn[]
  readonly body: Uint8Array
  readonly truncated: ResultTable['truncated']
  readonly milliseconds: number
  readonly expiresAt: Date
}

const HeadRow = z.object({
  id: z.string(),
  columns: z.array(StoredColumn),
  row_count: z.number().int(),
  head: z.array(z.array(z.unknown())),
})

/** The first rows of a result, with encoded cells. */
interface FoundHead {
  readonly id: string
  readonly columns: readonly ResultColumn[]
  readonly rowCount: number
  readonly head: readonly (readonly unknown[])[]
}

export type SavedResults = ReturnType<typeof makeSavedResults>

/** Queries on saved results. */
export const makeSavedResults = (within: Within) => ({
  insert: async (result: SavedResult, tx?: Tx): Promise<void> => {
    await within(tx)(SAVED_RESULTS).insert({
      id: result.id,
      question_id: result.questionId,
      canonical_hash: result.canonicalHash,
      columns: toJsonb(result.columns),
      head: toJsonb(result.head),
      body: Buffer.from(result.body),
      body_row_count: result.bodyRowCount,
      row_count: result.rowCount,
      truncated: result.truncated,
      milliseconds: result.milliseconds,
      expires_at: result.expiresAt,
    })
  },

  find: async (id: string, tx?: Tx): Promise<FoundResult | null> => {
    const found: unknown = await within(tx)(SAVED_RESULTS)
      .where({ id })
      .first('columns', 'body', 'truncated', 'milliseconds', 'expires_at')
    if (found === undefined) return null
    const { expires_at: expiresAt, ...row } = Row.parse(found)
    return { ...row, expiresAt }
  },

  /** The first rows of results valid at `now`, at most `rows` of each; without their bodies. */
  findHeads: async (
    ids: readonly string[],
    rows: number,
    now: Date,
    tx?: Tx,
  ): Promise<readonly FoundHead[]> => {
    if (ids.length === 0) return []
    const { rows: found }: { rows: unknown[] } = await within(tx).raw(
      `select id, columns, row_count, jsonb_path_query_array(head, '$[0 to $last]', ?) as head
         from ${SAVED_RESULTS} where id = any(?) and expires_at > ?`,
      [JSON.stringify({ last: rows - 1 }), [...ids], now],
    )
    return found.map(row => {
      const { row_count: rowCount, ...head } = HeadRow.parse(row)
      return { ...head, rowCount }
    })
  },

  /** Deletes expired results; returns how many. */
  purgeExpired: async (now: Date, tx?: Tx): Promise<number> =>
    within(tx)(SAVED_RESULTS).where('expires_at', '<=', now).delete(),
})
