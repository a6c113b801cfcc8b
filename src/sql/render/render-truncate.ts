import type { Dialect } from '../../core/dialect.ts'
import type { DateUnit, MomentType } from './expression.ts'
import { quoteLiteral } from './quote-literal.ts'

/**
 * The first day of the unit in which `argument` (rendered SQL) lies, as a date (text in SQLite). Weeks start on Monday.
 * Instants are cut in `timeZone`, everything else as it stands.
 */
export const renderTruncate = (
  unit: DateUnit,
  argument: string,
  type: MomentType,
  timeZone: string,
  dialect: Dialect,
): string => {
  switch (dialect) {
    case 'postgres':
    case 'duckdb': {
      const zone = quoteLiteral(timeZone, dialect)
      const local =
        type === 'instant'
          ? `${argument} AT TIME ZONE ${zone}`
          : type === 'text'
            ? `CAST(${argument} AS timestamp)`
            : argument
      return unit === 'day' ? `CAST(${local} AS date)` : `CAST(date_trunc('${unit}', ${local}) AS date)`
    }
    case 'sqlite':
      return inSqlite[unit](argument)
    case 'mysql':
      // Instants come in the session's zone, which the connector sets to the configured one.
      return inMysql[unit](argument)
  }
}

const inSqlite: Readonly<Record<DateUnit, (argument: string) => string>> = {
  day: argument => `date(${argument})`,
  week: argument => `date(${argument}, '-6 days', 'weekday 1')`,
  month: argument => `date(${argument}, 'start of month')`,
  quarter: argument =>
    `date(${argument}, 'start of month', '-' || ((CAST(strftime('%m', ${argument}) AS INTEGER) - 1) % 3) || ' months')`,
  year: argument => `date(${argument}, 'start of year')`,
}

const inMysql: Readonly<Record<DateUnit, (argument: string) => string>> = {
  day: argument => `DATE(${argument})`,
  week: argument => `DATE_SUB(DATE(${argument}), INTERVAL WEEKDAY(${argument}) DAY)`,
  month: argument => `CAST(DATE_FORMAT(${argument}, '%Y-%m-01') AS DATE)`,
  quarter: argument => `MAKEDATE(YEAR(${argument}), 1) + INTERVAL QUARTER(${argument}) - 1 QUARTER`,
  year: argument => `MAKEDATE(YEAR(${argument}), 1)`,
}
