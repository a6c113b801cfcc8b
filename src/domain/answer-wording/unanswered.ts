import { isComparingWord } from '../../lib/lexicon/light-words.ts'
import type { FailureReason, ModelFailure, Outcome, RefusalReason, TableOverview } from '../answer.ts'
import type { ErrorCode } from '../errors.ts'
import { formatRowCount } from '../sql.ts'
import { changeProblemText } from './follow-ups.ts'

/** What a person reads of a question that got no answer: what happened, and one next step. */
export interface UnansweredText {
  readonly reason: string
  readonly nextStep: string
}

/**
 * Words an outcome without an answer. Slack, the command line and the store take their sentences from here, because
 * they may all import the domain, and nothing else that they share.
 */
export const unansweredText = (
  outcome: Extract<Outcome, { readonly status: 'refused' | 'failed' }>,
): UnansweredText => {
  switch (outcome.status) {
    case 'refused':
      return refusalText(outcome)
    case 'failed':
      return failureText(outcome.why)
    default: {
      const never: never = outcome
      return never
    }
  }
}

const cannotCompare: UnansweredText = {
  reason: "I can't set these side by side.",
  nextStep: 'Ask for one of them, or for a figure by what tells them apart, such as “orders by channel”.',
}

/** Words a refusal. */
export const refusalText = ({
  why,
  modelFailure,
}: Pick<Extract<Outcome, { readonly status: 'refused' }>, 'why' | 'modelFailure'>): UnansweredText => {
  const { reason, nextStep } = textOf(why)
  return {
    reason: modelFailure === undefined ? reason : `${reason} ${modelFailureText(modelFailure)}`,
    nextStep,
  }
}

const textOf = (why: RefusalReason): UnansweredText => {
  switch (why.code) {
    case 'too-long':
      return {
        reason: `This question is longer than ${why.mostCharacters.toLocaleString('en-US')} characters.`,
        nextStep: 'Ask it in a sentence or two.',
      }
    case 'no-question':
      return {
        reason: "I don't see a question here.",
        nextStep: `${askAbout(why.database)} ${tablesText(why.tables)}`,
      }
    case 'thanks':
      return { reason: "You're welcome.", nextStep: 'Ask whenever you have another question.' }
    case 'greeting':
      return { reason: 'Hello. I answer questions about your data.', nextStep: askAbout(why.database) }
    case 'no-request':
      return { reason: "I don't see a question here.", nextStep: howToGoOn }
    case 'about-bot':
      return {
        reason: `I answer questions about the database ${why.database}: I write the SQL, run it read-only, and show the rows with the SQL. I never change data.`,
        nextStep: 'Reply in the thread to change an answer: “by month”, “only last year”, “as a chart”.',
      }
    case 'about-database':
      return {
        reason: `The database is called ${why.database}. ${tablesText(why.tables)}`,
        nextStep: askAbout(why.database),
      }
    case 'impossible-change':
      return {
        reason: changeProblemText(why.problem),
        nextStep: why.hasExamples
          ? 'Try one of these changes, or ask a whole question.'
          : why.problem.code === 'unclear'
            ? howToGoOn
            : 'Ask it as a whole question.',
      }
    case 'unknown-words':
      return {
        reason: `I can't find anything called ${quotedList(why.words)} in this database.`,
        nextStep: otherWords(why.words),
      }
    case 'ignored-words':
      if (why.words.every(isComparingWord)) return cannotCompare
      return {
        reason: `I can't find ${quotedList(why.words)} in this database.`,
        nextStep: otherWords(why.words),
      }
    case 'off-topic':
      return {
        reason: "This doesn't seem to be about anything in this database.",
        nextStep: nameWhatYouWant,
      }
    case 'beyond-data':
      return beyondData[why.asks]
    case 'nothing-drafted':
      return {
        reason: "I can't match this question to the tables of this database.",
        nextStep: nameWhatYouWant,
      }
    case 'cannot-answer':
      return {
        reason: `This database can't answer that.${why.reason === null ? '' : ` The model's reason: “${why.reason}”`}`,
        nextStep: 'Ask about something it has, or ask its owner to add what is missing.',
      }
    case 'all-failed':
      return {
        reason: `Every query I tried failed. The last error: ${why.message}`,
        nextStep: why.isTimeout
          ? 'Ask for less, such as a shorter period.'
          : 'Use other words, or ask for fewer things at a time.',
      }
    case 'unsure':
      return {
        reason: `I found an answer, but I'm only ${Math.round(why.confidence * 100)}% sure of it.`,
        nextStep: 'Say more precisely what to count or list, by what, and for which period.',
      }
    case 'over-budget':
      return {
        reason: why.message,
        nextStep: 'Ask for less data, ask again after the limit resets, or ask an admin to raise it.',
      }
    case 'database-unreachable':
      return {
        reason: "I can't reach the database right now.",
        nextStep: 'Ask again in a few minutes. If that fails too, tell an admin: `querent doctor` shows why.',
      }
    case 'not-run':
      return {
        reason: why.isExpired ? "I didn't run it, because nobody replied." : "I didn't run it, as you chose.",
        nextStep: 'Ask again if you want to run it after all, or ask for less.',
      }
    case 'narrower':
      return narrowerText(why.offered)
    case 'still-expensive':
      return {
        reason: why.message ?? 'This would read too much.',
        nextStep: 'Ask it as a new question and choose to run it, or ask for less.',
      }
    case 'written':
      return { reason: why.reason, nextStep: why.nextStep }
    default: {
      const never: never = why
      return never
    }
  }
}

const howToGoOn =
  'Say how to change the last answer, such as “by month” or “only last year”, or ask a whole question.'

const askAbout = (database: string): string => `Ask me about ${database} in your own words.`

const nameWhatYouWant = 'Name what you want to see, such as one of its tables or columns.'

const otherWords = (words: readonly string[]): string =>
  `Use other words, or leave ${words.length === 1 ? 'it' : 'them'} out.`

const tablesText = ({ named, count }: TableOverview): string => {
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  return `It has ${count} ${count === 1 ? 'table' : 'tables'}: ${named.join(', ')}${more}.`
}

const quotedList = (words: readonly string[]): string => {
  const quoted = words.map(word => `“${word}”`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

const askAgainNote = 'If it still reads a lot, I ask again before I run it.'

const narrowerText = (
  offered: readonly { readonly question: string; readonly rows: number }[],
): UnansweredText => {
  if (offered.length === 0)
    return {
      reason: "I didn't run it, and I know no part of it that I could run right away.",
      nextStep: `Ask for less: a shorter period, one region, one customer, one kind. ${askAgainNote}`,
    }
  const each = offered.map(({ question, rows }) => `“${question}” reads about ${formatRowCount(rows)}.`)
  return {
    reason: "I didn't run it. I can run a narrower question right away.",
    nextStep: `Ask one of these, or add a filter of your own. ${each.join(' ')} ${askAgainNote}`,
  }
}

/** Words that no model had a part in an outcome. The log and the trace say what to do about it. */
export const modelFailureText = (failure: ModelFailure): string => {
  switch (failure) {
    case 'budget-spent':
      return 'No model helped with this: the model budget is used up.'
    case 'unreachable':
      return 'No model helped with this: none could be reached.'
    default: {
      const never: never = failure
      return never
    }
  }
}

/** Words a run that failed. */
export const failureText = (why: FailureReason): UnansweredText => {
  switch (why.code) {
    case 'error':
      return { reason: why.message, nextStep: stepAfter(why.error) }
    case 'unexpected':
      return { reason: 'Something went wrong on my side.', nextStep: askAgain }
    case 'written':
      return { reason: why.reason, nextStep: why.nextStep }
    default: {
      const never: never = why
      return never
    }
  }
}

const askAgain = 'Ask again. If it fails again, an admin can find the cause in the log.'

const stepAfter = (error: ErrorCode): string => {
  switch (error) {
    case 'database-unreachable':
    case 'store-unavailable':
      return 'Check that the server is running and that its address is right, then ask again.'
    case 'model-failed':
    case 'budget-spent':
      return 'Ask again later, or ask a narrower question.'
    case 'unknown-database':
    case 'bad-configuration':
    case 'bad-arguments':
    case 'not-installed':
      return 'Fix what the message names, then ask again.'
    case 'unknown-rights':
    case 'database-error':
    case 'cancelled':
    case 'internal':
      return askAgain
    default: {
      const never: never = error
      return never
    }
  }
}

const beyondData = {
  forecast: {
    reason: "I can't tell what will happen. I only know what is in the database.",
    nextStep: 'Ask how it went so far, for example per month this year.',
  },
  cause: {
    reason: "I can't tell why something happened. The data only shows what did.",
    nextStep: 'Ask what changed, for example the same figure by region or by month.',
  },
  opinion: {
    reason: "I can't say what you should do. I can give you the figures to decide by.",
    nextStep: 'Ask for a figure that helps, such as the total per product.',
  },
} as const
