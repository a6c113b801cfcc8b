import { useEffect, useRef, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import { useWorkspace } from './workspace-context.ts'

/** Longer texts are not listened to. */
const LONGEST = 240

/** Announces the latest message or change in the shown channel to screen readers. */
export const Announcer = ({ channel }: { readonly channel: string }) => {
  const { snapshot } = useWorkspace()
  const [said, setSaid] = useState('')
  const known = useRef<{ readonly place: string; readonly words: ReadonlyMap<string, string> } | null>(null)
  const { me, bot, people, messages } = snapshot

  useEffect(() => {
    const here = messages.filter(message => message.channel === channel)
    const words = new Map(here.map(({ ts, text }) => [ts, text]))
    const place = `${me} ${channel}`
    const before = known.current
    known.current = { place, words }
    // What was there when one came is read, not announced.
    if (before?.place !== place) return setSaid('')
    const fresh = here.findLast(
      ({ ts, text, author }) => author !== me && text !== '' && before.words.get(ts) !== text,
    )
    if (fresh) setSaid(sentence(fresh, [bot, ...people]))
  }, [messages, channel, me, bot, people])

  return (
    <div className="spoken" aria-live="polite">
      {said}
    </div>
  )
}

const sentence = (
  { author, text, onlyFor }: RecordedMessage,
  people: readonly { readonly id: string; readonly name: string }[],
): string => {
  const nameOf = (id: string): string => people.find(person => person.id === id)?.name ?? id
  const plain = text.replaceAll(/<@(\w+)>/g, (_, id: string) => `@${nameOf(id)}`).replaceAll(/[*`]/g, '')
  return `${nameOf(author)}${onlyFor === null ? '' : ', only to you'}: ${plain.slice(0, LONGEST)}`
}
