import { type Frame, isMeasure } from '../../frame/frame.ts'

/**
 * Whether ungrouped rows are shown once each: where that was asked for, or where the joins repeat what is shown and no
 * number of rows was named. Never where rows are sorted by what is not shown: databases refuse that.
 */
export const showsDistinct = (frame: Frame, repeated: ReadonlySet<number>): boolean => {
  const repeats = frame.outputs.some(
    output => output.kind === 'column' && repeated.has(output.column.table.id),
  )
  const sortsByShown = frame.orders.every(
    order =>
      !isMeasure(order.by) &&
      frame.outputs.some(output => output.kind === 'column' && output.column === order.by),
  )
  return sortsByShown && (frame.distinct || (repeats && frame.limit === null))
}
