import type { Dialect } from '../../core/dialect.ts'
import type { MomentType } from './expression.ts'
import { quoteLiteral } from './quote-literal.ts'

/**
 * Midnight of an ISO day in a form that compares with a column of `type`. For a column with a zone it is midnight in
 * `timeZone`; a column without one is taken as it stands.
 */
export const renderMoment = (day: string, type: MomentType, timeZone: string, dialect: Dialect): string => {
  const text = quoteLiteral(day, dialect)
  if (dialect === 'sqlite' || type === 'text') return text
  switch (type) {
    case 'date':
      return `DATE ${text}`
    case 'local':
      return `TIMESTAMP ${quoteLiteral(`${day} 00:00:00`, dialect)}`
    case 'instant':
      // MySQL's TIMESTAMP is read in the session's zone, which its connector sets to the configured one.
      return dialect === 'mysql'
        ? `TIMESTAMP ${quoteLiteral(`${day} 00:00:00`, dialect)}`
        : `TIMESTAMP ${quoteLiteral(`${day} 00:00:00`, dialect)} AT TIME ZONE ${quoteLiteral(timeZone, dialect)}`
  }
}
