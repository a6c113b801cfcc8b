import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { NotificationBus, Notifications } from '../../src/domain/operations/jobs.ts'

/** What every board for notices must do. `make` gives two processes' boards, both listening already. */
export const noticeBoardContract = (
  make: () => Promise<{ readonly here: NotificationBus; readonly there: NotificationBus }>,
): void => {
  it('notifies every process, itself included', async () => {
    const { here, there } = await make()
    const heard: string[] = []
    here.subscribe('stop', ({ questionId }) => heard.push(`here ${questionId}`))
    there.subscribe('stop', ({ questionId }) => heard.push(`there ${questionId}`))
    const questionId = randomUUID()
    await here.publish('stop', { questionId })
    await vi.waitFor(() => expect(heard.toSorted()).toEqual([`here ${questionId}`, `there ${questionId}`]))
  })

  it('notifies only current subscribers', async () => {
    const { here, there } = await make()
    const stops: Notifications['stop'][] = []
    const indexes: Notifications['index-changed'][] = []
    const forget = there.subscribe('stop', notice => stops.push(notice))
    there.subscribe('index-changed', notice => indexes.push(notice))
    forget()
    await here.publish('stop', { questionId: randomUUID() })
    const changed = { database: 'shop – Läden', fingerprint: 'f1' }
    // Notices of one process come in the order of telling: when the second is there, the first has been.
    await here.publish('index-changed', changed)
    await vi.waitFor(() => expect(indexes).toEqual([changed]))
    expect(stops).toEqual([])
  })
}
