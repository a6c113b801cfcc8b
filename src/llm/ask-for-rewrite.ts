import type { AskForRewrite } from '../core/follow-up.ts'
import type { Transcript } from '../core/thread.ts'
import type { AskModel } from './ask-model.ts'

/** A statement says what was read; more of a long one says no more. */
const maxSqlLength = 600

/** What is older goes first. */
const maxThreadLength = 5_500

/** Makes the asker for rewrites: the thread goes in as data, with who said what. */
export const makeAskForRewrite =
  (askModel: AskModel): AskForRewrite =>
  ({ said, transcript, ...request }) =>
    askModel(
      {
        ...request,
        role: 'rewriter',
        prompt: 'rewrite-follow-up',
        variables: { thread: describeThread(transcript), message: said },
      },
      ['rewrite'],
    )

/**
 * Questions with the SQL of their answers, and what people said to each other, in the order of time; the latest of a
 * long thread. Nothing of the results: a headline may be a value of the database, and no rewrite needs it.
 */
export const describeThread = ({ turns, remarks }: Transcript): string => {
  const entries = [
    ...turns.map(turn => ({
      at: turn.askedAt,
      text: [
        `${turn.askedBy ?? 'somebody'} asked: ${turn.said}`,
        ...(turn.text === turn.said ? [] : [`read as: ${turn.text}`]),
        `answered by: ${toOneLine(turn.sql).slice(0, maxSqlLength)}`,
      ].join('\n'),
    })),
    ...remarks.map(({ by, text, at }) => ({ at, text: `${by} said to the others: ${toOneLine(text)}` })),
  ]
  const told: string[] = []
  let characters = 0
  for (const { text } of entries.sort((a, b) => b.at.getTime() - a.at.getTime())) {
    characters += text.length + 2
    if (characters > maxThreadLength && told.length > 0) break
    told.unshift(text)
  }
  return told.join('\n\n')
}

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
