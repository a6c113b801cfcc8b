import type { Channel } from '../shapes/people.ts'
import { Avatar } from './avatar.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import type { Unread } from './use-read-marks.ts'
import { useWorkspace } from './workspace-context.ts'

/** The workspace's name, who one is, and where one can go. */
export const Sidebar = (props: {
  readonly current: string
  readonly unread: Unread
  onChannel(id: string): void
  onPerson(handle: string): void
  onToggle(): void
}) => {
  const { snapshot } = useWorkspace()

  const entry = (channel: Channel) => {
    const unread = channel.id === props.current ? 0 : props.unread.channel(channel.id)
    return (
      <li key={channel.id}>
        <button
          type="button"
          className="channel"
          aria-current={channel.id === props.current ? 'page' : undefined}
          data-unread={unread > 0}
          onClick={() => props.onChannel(channel.id)}
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
          {unread > 0 && (
            <span className="count">
              {unread}
              <span className="spoken"> unread</span>
            </span>
          )}
        </button>
      </li>
    )
  }

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
      <ThemeSwitch />
    </nav>
  )
}
