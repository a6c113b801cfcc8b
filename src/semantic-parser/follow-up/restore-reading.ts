import type { ChainLink } from '../../core/thread.ts'
import { type DraftInterpretation, interpretQuestion } from '../read-question.ts'
import { type EditContext, interpretEdit } from './edit-readings.ts'
import { readPlainEdit } from './plain-edit.ts'
import { stripFollowUpCues } from './strip-cues.ts'

/**
 * The reading behind the last answer of a chain: each question is read again, and of its readings the one is taken
 * whose SQL was the answer. Reading is deterministic, so nothing of it needs to be kept. Null where an answer is none of
 * ours: a model wrote it, a person did, or the database has changed since.
 */
export const restoreInterpretation = (
  chain: readonly ChainLink[],
  parts: EditContext,
): DraftInterpretation | null => {
  const [root, ...edits] = chain
  if (!root) return null
  const clock = { now: () => new Date(root.askedAt), timeZone: parts.timeZone }
  const { schema, findValues, dialect, weights } = parts
  const readings = interpretQuestion(parts.understand(root.text, clock), schema, findValues, dialect, weights)
  let reading: DraftInterpretation | null = readings.find(({ sql }) => sql === root.sql) ?? null
  for (const edit of edits) {
    if (!reading) return null
    // A breakdown is looked at beside an answer: what follows it changes the answer.
    if (asksWhy(edit.text)) continue
    const read = interpretEdit(reading.frame, edit, parts)
    reading = 'reason' in read ? null : (read.readings.find(({ sql }) => sql === edit.sql) ?? null)
  }
  return reading
}

/** Whether a message asks why a number of the answer before it is what it is. */
export const asksWhy = (text: string): boolean =>
  readPlainEdit(stripFollowUpCues(text).text, false)?.kind === 'why'
