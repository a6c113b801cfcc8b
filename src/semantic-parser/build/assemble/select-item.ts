import type { SelectItem } from '../../../sql/render/select-query.ts'
import type { Output } from '../../frame/frame.ts'
import type { TableEntry } from '../../schema/schema-index.ts'
import { columnExpression } from '../column-expression.ts'
import { measureAlias } from '../measure-alias.ts'
import type { MeasureExpression } from './build-measure.ts'
import type { DateUnitExpression } from './build-unit.ts'

/** What selecting an output reads besides it. */
interface Selecting {
  readonly entity: TableEntry
  readonly qualified: boolean
  readonly measure: MeasureExpression
  readonly unit: DateUnitExpression
}

/** One output as an item of SELECT; measures and units are named, columns keep their names. */
export const selectItem = (output: Output, { entity, qualified, measure, unit }: Selecting): SelectItem => {
  switch (output.kind) {
    case 'all': {
      const table = qualified && output.table ? output.table.table.name : null
      return { expression: { kind: 'star', table }, alias: null }
    }
    case 'column':
      return { expression: columnExpression(output.column, qualified), alias: null }
    case 'unit':
      return { expression: unit(output), alias: output.unit }
    case 'measure':
      return {
        expression: measure(output.measure),
        alias: measureAlias(output.measure, entity.table.name),
      }
  }
}
