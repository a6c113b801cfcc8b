import { useState } from 'react'
import type { Channel } from '../shapes/people.ts'
import { Avatar } from './avatar.tsx'
import { useWorkspace } from './workspace-context.ts'

/** The workspace's name, who one is, and where one can go. */
export const Sidebar = (props: {
  readonly current: string
  onChannel(id: string): void
  onPerson(handle: string): void
  onToggle(): void
}) => {
  const { snapshot } = useWorkspace()
  const [seen, setSeen] = useState<Readonly<Record<string, string>>>({})
  const latest = latestByChannel(snapshot.messages)
  const unread = (channel: Channel): boolean =>
    channel.id !== props.current && (latest[channel.id] ?? '') > (seen[channel.id] ?? '')
  const goTo = (id: string): void => {
    setSeen(before => ({ ...before, ...latestOf(latest, [props.current, id]) }))
    props.onChannel(id)
  }

  const entry = (channel: Channel) => (
    <li key={channel.id}>
      <button
        type="button"
        className="channel"
        aria-current={channel.id === props.current ? 'page' : undefined}
        data-unread={unread(channel)}
        onClick={() => goTo(channel.id)}
      >
        {channel.kind === 'direct' ? (
          <>
            <Avatar name={channel.name} bot={true} />
            {channel.name}
          </>
        ) : (
          <>
            <span className="hash" aria-hidden="true">
              #
            </span>
            {channel.name}
          </>
        )}
      </button>
    </li>
  )

  return (
    <nav className="sidebar" aria-label="Channels">
      <div className="team">
        {snapshot.team}
        <button
          type="button"
          className="plain only-narrow"
          onClick={props.onToggle}
          aria-label="Hide channels"
        >
          ✕
        </button>
      </div>
      <h2>Channels</h2>
      <ul>{snapshot.channels.filter(channel => channel.kind === 'channel').map(entry)}</ul>
      <h2>Apps</h2>
      <ul>{snapshot.channels.filter(channel => channel.kind === 'direct').map(entry)}</ul>
      <fieldset className="people">
        <legend>You are</legend>
        {snapshot.people.map(person => (
          <button
            key={person.id}
            type="button"
            className="person"
            aria-pressed={person.id === snapshot.me}
            onClick={() => props.onPerson(person.handle)}
          >
            <Avatar name={person.name} bot={false} />
            {person.name}
          </button>
        ))}
      </fieldset>
    </nav>
  )
}

const latestByChannel = (
  messages: readonly { readonly channel: string; readonly ts: string }[],
): Readonly<Record<string, string>> => {
  const latest: Record<string, string> = {}
  for (const { channel, ts } of messages) if (ts > (latest[channel] ?? '')) latest[channel] = ts
  return latest
}

const latestOf = (
  latest: Readonly<Record<string, string>>,
  ids: readonly string[],
): Readonly<Record<string, string>> => Object.fromEntries(ids.map(id => [id, latest[id] ?? '']))
