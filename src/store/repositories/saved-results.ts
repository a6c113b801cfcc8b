import { z } from 'zod'
import type { ResultColumn, ResultTable } from '../../core/result.ts'
import type { Tx } from '../../core/tx.ts'
import type { EncodedCell } from '../results/encode-cell.ts'
import { StoredValueKind } from '../stored/value-kind.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const SAVED_RESULTS = 'querent.saved_results'

/** A result as it is kept. `head` is its first rows as plain JSON, `body` the compressed rows that were kept of it. */
export interface SavedResult {
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
})

const Row = z.object({
  columns: z.array(StoredColumn),
  body: z.instanceof(Uint8Array),
  truncated: z.enum(['rows', 'bytes']).nullable(),
  milliseconds: z.number(),
  expires_at: z.date(),
})

/** What reading a result back takes. */
export interface FoundResult {
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

/** The first rows of a result, cells as they are encoded. */
export interface FoundHead {
  readonly id: string
  readonly columns: readonly ResultColumn[]
  readonly rowCount: number
  readonly head: readonly (readonly unknown[])[]
}

export type SavedResults = ReturnType<typeof makeSavedResults>

/** Makes the queries over saved results. */
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

  /** The first rows of results that have not expired by `now`, at most `rows` of each; without their bodies. */
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

  /** Deletes what has expired by `now`, and returns how many results that were. */
  purgeExpired: async (now: Date, tx?: Tx): Promise<number> =>
    within(tx)(SAVED_RESULTS).where('expires_at', '<=', now).delete(),
})
