import type { Frame } from '../../frame/frame.ts'
import type { Features } from '../../rank/features.ts'

/** Signs that the parts do not belong together. */
export const mismatchFeatures = (frame: Frame, repeated: ReadonlySet<number>, grouped: boolean): Features => {
  const sums = frame.outputs.filter(
    output =>
      output.kind === 'measure' &&
      output.measure.column &&
      (output.measure.fn === 'sum' || output.measure.fn === 'avg') &&
      repeated.has(output.measure.column.table.id),
  )
  const onlyMeasures = frame.outputs.every(output => output.kind === 'measure')
  const tables = new Set(
    frame.outputs.flatMap(output => (output.kind === 'column' ? [output.column.table.id] : [])),
  )
  return [
    ['odd.sumRepeated', sums.length],
    ['odd.limitOfOne', !grouped && frame.limit !== null && onlyMeasures ? 1 : 0],
    ['odd.twoOrders', Math.max(0, frame.orders.length - 1)],
    ['odd.manyOutputs', Math.max(0, frame.outputs.length - 4)],
    ['odd.outputTables', Math.max(0, tables.size - 1)],
    ['odd.havingOne', frame.havings.length > 0 && onlyMeasures ? 1 : 0],
  ]
}
