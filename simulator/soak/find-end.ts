import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'

type Rows = (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

/** What the store knows of the question of a message, with the `ts` of its reply; null if it was not heard. */
export const findStored = async (
  rows: Rows,
  { channel, ts }: Pick<RecordedMessage, 'channel' | 'ts'>,
): Promise<Record<string, unknown> | null> => {
  const [stored] = await rows(
    `select q.id, q.status, o.ts from querent.questions q
     left join querent.outbound_messages o on o.question_id = q.id and o.step = 'reply'
     where q.place ->> 'channel' = $1 and q.place ->> 'message' = $2`,
    [channel, ts],
  )
  return stored ?? null
}

/** What the bot said for all under a message, and did not take back. */
export const findReplies = (
  simulator: Pick<Simulator, 'thread'>,
  { channel, ts }: Pick<RecordedMessage, 'channel' | 'ts'>,
): readonly RecordedMessage[] =>
  simulator.thread(channel, ts).filter(said => said.byBot && said.onlyFor === null && !said.deleted)
