import { useEffect, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Snapshot } from '../shapes/snapshot.ts'

/** What a person has not seen yet. */
export interface Unread {
  /** In a channel: what others said at its top level, and in the threads in which this person has spoken. */
  channel(id: string): number
  /** In a thread: the replies of others. */
  thread(channel: string, ts: string): number
}

/** The `ts` up to which somebody has read a channel or a thread, by `<person> <channel> <thread>`. */
type Marks = Readonly<Record<string, string>>

/** Keeps for every person apart what they have seen: the channel and the thread that are shown are read. */
export const useReadMarks = (
  snapshot: Snapshot | null,
  shown: { readonly channel: string | null; readonly thread: string | null },
): Unread => {
  const [marks, setMarks] = useState<Marks>({})
  const me = snapshot?.me ?? ''
  const messages = snapshot?.messages ?? []
  const { channel, thread } = shown

  useEffect(() => {
    if (channel === null || !snapshot) return
    const read: Record<string, string> = {}
    for (const message of snapshot.messages) {
      if (message.channel !== channel) continue
      const place = placeOf(message)
      if (place === '' || place === thread) read[`${me} ${channel} ${place}`] = message.ts
    }
    setMarks(before =>
      Object.entries(read).every(([place, ts]) => before[place] === ts) ? before : { ...before, ...read },
    )
  }, [snapshot, me, channel, thread])

  const isNew = (message: RecordedMessage): boolean =>
    message.author !== me &&
    message.onlyFor === null &&
    message.ts > (marks[`${me} ${message.channel} ${placeOf(message)}`] ?? '')
  const mine = new Set(messages.filter(({ author }) => author === me).map(threadOf))

  return {
    channel: id =>
      messages.filter(
        message =>
          message.channel === id &&
          isNew(message) &&
          (placeOf(message) === '' || mine.has(threadOf(message))),
      ).length,
    thread: (id, ts) =>
      messages.filter(message => message.channel === id && placeOf(message) === ts && isNew(message)).length,
  }
}

/** The thread that a reply stands in; '' for what stands in the channel itself. */
const placeOf = ({ ts, threadTs }: RecordedMessage): string => (threadTs === ts ? '' : (threadTs ?? ''))

const threadOf = ({ channel, ts, threadTs }: RecordedMessage): string => `${channel} ${threadTs ?? ts}`
