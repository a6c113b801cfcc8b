import { z } from 'zod'
import type { DigestFinding } from '../../core/digest-run.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredFinding } from '../stored/digest.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const FINDINGS = 'querent.digest_findings'

const FindingRow = z.object({ question_id: z.string(), finding: StoredFinding, found_at: z.date() })

/** What the last run that was told found of one question, and when. */
export interface LastFinding {
  readonly finding: DigestFinding
  readonly at: Date
}

/** Makes the queries over what runs of digests found. */
export const makeDigestFindings = (within: Within) => ({
  /** By the id of the digest's question. */
  listOf: async (digestId: string, tx?: Tx): Promise<ReadonlyMap<string, LastFinding>> => {
    const rows: unknown[] = await within(tx)(FINDINGS).where({ digest_id: digestId })
    return new Map(
      rows.map(row => {
        const { question_id: id, finding, found_at: at } = FindingRow.parse(row)
        return [id, { finding, at }]
      }),
    )
  },

  upsert: async (
    digestId: string,
    questionId: string,
    { finding, at }: LastFinding,
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(FINDINGS)
      .insert({
        digest_id: digestId,
        question_id: questionId,
        finding: toJsonb(finding),
        found_at: at,
      })
      .onConflict(['digest_id', 'question_id'])
      .merge()
  },

  remove: async (digestId: string, questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(FINDINGS).where({ digest_id: digestId, question_id: questionId }).delete()
  },
})
