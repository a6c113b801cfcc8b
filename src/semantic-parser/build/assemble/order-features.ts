import { stemWord } from '../../../lib/stem-word.ts'
import { type Frame, isMeasure } from '../../frame/frame.ts'
import type { Features } from '../../rank/features.ts'
import type { CountingWay } from './counting-ways.ts'

const ratingStems = new Set(
  ['rating', 'score', 'star', 'grade', 'satisfaction', 'review', 'point', 'rank'].map(stemWord),
)

/** How an order by a column of many rows was taken, and what speaks for it. */
export const orderFeatures = (frame: Frame, { orderBy }: CountingWay): Features => {
  const many = frame.limit === null ? 'all' : frame.limit > 1 ? 'many' : 'one'
  if (!orderBy) return [[`order.asJoined.${many}`, 1]]
  const ratings = frame.orders.some(
    order =>
      !isMeasure(order.by) && order.by.words.some(word => word.stems.some(stem => ratingStems.has(stem))),
  )
  const way = orderBy === 'sum' ? 'order.summed' : 'order.averaged'
  return [
    [way, 1],
    [`${way}.${ratings ? 'rating' : 'amount'}`, 1],
    [`${way}.${many}`, 1],
  ]
}
