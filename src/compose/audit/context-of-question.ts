import type { SlackLocation } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { RunContext } from '../../core/run-context.ts'

/**
 * The context of work on a question: that of the place where it was asked, and of the command line for one that was
 * asked nowhere. `person` is whoever has the work done, where that is neither who asked it nor who had it
 * run again.
 */
export const questionRunContext = (
  questionId: string,
  question: (Pick<Question, 'askedBy' | 'runBy'> & { readonly place?: SlackLocation | null }) | null,
  { origin = 'question', person }: { readonly origin?: RunContext['origin']; readonly person?: string } = {},
): RunContext => ({
  origin: origin === 'question' && !question?.place ? 'command' : origin,
  person: person ?? question?.runBy ?? question?.askedBy ?? null,
  team: question?.place?.team ?? null,
  channel: question?.place?.channel ?? null,
  questionId,
  digestId: null,
})
