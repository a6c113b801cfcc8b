import type { Outcome } from '../../../src/core/answer.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { interpretMessage } from '../follow-up/read-message.ts'
import { mayRequestNewestRows, parseNewestRowsRequest } from '../heavy/only-newest.ts'
import type { State, Update } from '../state.ts'
import { introduceDatabase } from '../tell-about-database.ts'

/** Far above any question; reading takes time by the word, and other questions wait meanwhile (threat T3). */
const LONGEST_QUESTION = 1_000

const tooLong: Outcome = {
  status: 'refused',
  reason: `This question is longer than ${LONGEST_QUESTION} characters.`,
  nextStep: 'Ask it in a sentence or two.',
}

type UnderstandDeps = Pick<
  AnswerDeps,
  | 'understand'
  | 'workbench'
  | 'database'
  | 'loadTranscript'
  | 'readFollowUp'
  | 'askForRewrite'
  | 'exampleQuestions'
  | 'whoToAsk'
>

/**
 * Reads what kind of request this is, in its thread where it has one, and lays the first brief down. Requests that need
 * no data end here, and so do changes of an earlier question that cannot be made.
 */
export const makeUnderstandQuestion =
  (deps: UnderstandDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'understand', detail: 'Reading the question' })
    const { question } = state
    if (question.text.length > LONGEST_QUESTION) return { kind: 'data', outcome: tooLong }
    const asked = deps.understand(await withoutNewestRows(question, deps, run), {
      now: () => new Date(question.askedAt),
      timeZone: question.timeZone,
    })
    const keep = (understanding: typeof asked): Promise<void> =>
      deps.workbench.saveContext(question.id, { understanding, matches: [], linked: { tables: [] } })
    const { kind } = asked
    if (kind !== 'data') {
      await keep(asked)
      const database = await deps.database(question.database, run)
      const examples = deps.exampleQuestions?.(database.catalog) ?? []
      return { kind, outcome: introduceDatabase({ kind, text: asked.text }, database, examples) }
    }
    const read = await interpretMessage(question, asked, deps, run)
    if (read.kind === 'question') {
      await keep(read.understanding)
      return { kind: 'data', isWhy: read.isWhy ?? false, usage: read.usage }
    }
    await keep(asked)
    return { kind: 'data', outcome: refuseChange(read), usage: read.usage }
  }

/** Words that code has put at the end of a question, and takes from it again, mean nothing to whoever reads it. */
const withoutNewestRows = async (
  { text, database }: State['question'],
  deps: Pick<UnderstandDeps, 'database'>,
  run: NodeRun,
): Promise<string> =>
  mayRequestNewestRows(text)
    ? (parseNewestRowsRequest(text, (await deps.database(database, run)).catalog)?.plain ?? text)
    : text

const refuseChange = ({
  reason,
  examples,
}: {
  readonly reason: string
  readonly examples: readonly string[]
}): Outcome => ({
  status: 'refused',
  reason,
  nextStep: examples.length > 0 ? 'These work, and so does a whole question.' : 'Ask it as a whole question.',
  ...(examples.length > 0 ? { nearest: examples } : {}),
})
