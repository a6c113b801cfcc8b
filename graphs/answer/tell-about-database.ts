import type { Outcome } from '../../src/core/answer.ts'
import type { Database } from '../../src/core/database.ts'
import type { RequestKind } from '../../src/core/understanding.ts'

const TABLES_NAMED = 12

/** The short helpful reply to what is not a question about data. Nothing of the database is read for it. */
export const tellAboutDatabase = (kind: Exclude<RequestKind, 'data'>, database: Database): Outcome => {
  const tables = database.catalog.tables.map(table => table.name)
  const named = tables.slice(0, TABLES_NAMED).join(', ')
  const more = tables.length > TABLES_NAMED ? ` and ${tables.length - TABLES_NAMED} more` : ''
  const nextStep = `Ask about one of its ${tables.length} tables: ${named}${more}.`
  switch (kind) {
    case 'empty':
      return { status: 'refused', reason: 'There is no question here.', nextStep }
    case 'small-talk':
      return { status: 'refused', reason: 'I answer questions about data.', nextStep }
    case 'meta':
      return {
        status: 'refused',
        reason: `This is about the database itself: it is called ${database.name}.`,
        nextStep,
      }
    default: {
      const never: never = kind
      return never
    }
  }
}
