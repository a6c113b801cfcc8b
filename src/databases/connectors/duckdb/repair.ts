import { formatDatePattern } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)})`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'strftime')
      return pattern === null ? null : `strftime(${timestamp(operation.of)}, ${pattern})`
    }
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference': {
      const { unit, from, to, counts } = operation
      const name = counts === 'whole' ? 'date_sub' : 'date_diff'
      return `${name}('${unit}', ${timestamp(from)}, ${timestamp(to)})`
    }
    case 'shift':
      return `(${timestamp(operation.of)} + INTERVAL '${operation.amount} ${operation.unit}s')`
    case 'julian':
      return `julian(${timestamp(operation.of)})`
    case 'today':
      return 'CURRENT_DATE'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `string_agg(${operation.isDistinct ? 'DISTINCT ' : ''}CAST(${operation.of} AS text), ${operation.separator})`
    case 'find':
      return `strpos(${operation.within}, ${operation.text})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on DuckDB. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `year month day dayofmonth hour minute second quarter extract date_part date_trunc date_diff now`,
    `ifnull if group_concat string_agg instr strpos left right len char_length character_length ucase lcase greatest
     least round`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: true,
  joinsNeedCondition: true,
  hasDoubleEquals: true,
  hasCastOperator: true,
  castTypes: {},
  castTo: { numeric: 'numeric', text: 'text' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: true, having: true },
  subqueriesNeedNames: true,
}
