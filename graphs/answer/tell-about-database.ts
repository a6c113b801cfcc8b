import type { Outcome } from '../../src/core/answer.ts'
import type { Database } from '../../src/core/database.ts'
import type { RequestKind } from '../../src/core/understanding.ts'

const TABLES_NAMED = 12
const EXAMPLES = 3

/**
 * The short helpful reply to what is not a question about data, with questions that can be asked. Nothing of the
 * database is read for it.
 */
export const introduceDatabase = (
  { kind, text }: { readonly kind: Exclude<RequestKind, 'data'>; readonly text: string },
  database: Database,
  examples: readonly string[],
): Outcome => {
  const nearest = examples.slice(0, EXAMPLES)
  const withExamples = nearest.length > 0 ? { nearest } : {}
  const said = (reason: string, nextStep: string): Outcome => ({
    status: 'refused',
    reason,
    nextStep,
    ...withExamples,
  })
  const ask = `Ask me about ${database.name} in your own words.`
  switch (kind) {
    case 'empty':
      return said('There is no question here.', `${ask} ${tablesOf(database)}`)
    case 'small-talk':
      return isThanks(text)
        ? { status: 'refused', reason: 'You are welcome!', nextStep: 'Ask whenever there is more.' }
        : said('Hello! I answer questions about data.', ask)
    case 'meta':
      return isAboutUs(text)
        ? said(
            `I am a bot that answers questions about the database ${database.name}: I write the SQL, run it read-only, and show the rows with the SQL behind them. I never change data.`,
            'A reply in the thread changes the question: “by month”, “only last year”, “as a chart”.',
          )
        : said(`The database is called ${database.name}. ${tablesOf(database)}`, ask)
    default: {
      const never: never = kind
      return never
    }
  }
}

const tablesOf = ({ catalog }: Database): string => {
  const tables = catalog.tables.map(table => table.name)
  const more = tables.length > TABLES_NAMED ? ` and ${tables.length - TABLES_NAMED} more` : ''
  return `It has ${tables.length} tables: ${tables.slice(0, TABLES_NAMED).join(', ')}${more}.`
}

const isThanks = (text: string): boolean =>
  /^(?:ok(?:ay)?[ ,]*)?(?:thanks?|thank you|thx|cheers|ta|perfect|great|cool|nice|awesome|well done|good (?:job|bot))\b/i.test(
    text,
  )

/** About the bot rather than about its tables. */
const isAboutUs = (text: string): boolean =>
  /\b(?:who (?:are|made|built) you|what are you|are you (?:a |an )?\w+|what (?:can|could|do) (?:you|i)|how (?:do|can|does|should) (?:i|you|this|it|querent)|help|commands|usage)\b/i.test(
    text,
  ) && !/\b(?:tables?|data|datasets?|schemas?|databases?|information)\b/i.test(text)
