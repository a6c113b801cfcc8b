import { Fragment, type ReactNode } from 'react'
import type { Snapshot } from '../../shapes/snapshot.ts'
import { addressOf } from '../use-place.ts'
import { useWorkspace } from '../workspace-context.ts'
import { SlackDate } from './slack-date.tsx'

/** Slack's own markup, of which this much is in use: fences, code, bold, italics, strike, links, mentions. */
export const Mrkdwn = ({ text }: { readonly text: string }) => {
  const { snapshot } = useWorkspace()
  return text.split(/```\n?([\s\S]*?)\n?```/).map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
      <pre key={i}>{unescaped(part)}</pre>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={i}>{inline(part, snapshot)}</Fragment>
    ),
  )
}

/** Markup that opens inside of a word is none. */
const marks =
  /`([^`\n]+)`|<([^<>\n]+)>|(?<!\w)\*(\S(?:[^*\n]*\S)?)\*(?!\w)|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<!\w)~(\S(?:[^~\n]*\S)?)~(?!\w)/

const inline = (text: string, snapshot: Snapshot): ReactNode => {
  const found = marks.exec(text)
  if (!found) return unescaped(text)
  const [whole, code, angle, bold, italic, struck] = found
  return (
    <>
      {unescaped(text.slice(0, found.index))}
      {code !== undefined && <code>{unescaped(code)}</code>}
      {angle !== undefined && <Angle content={angle} snapshot={snapshot} />}
      {bold !== undefined && <b>{inline(bold, snapshot)}</b>}
      {italic !== undefined && <i>{inline(italic, snapshot)}</i>}
      {struck !== undefined && <s>{inline(struck, snapshot)}</s>}
      {inline(text.slice(found.index + whole.length), snapshot)}
    </>
  )
}

/** What stands between angle brackets: a person, a channel, everybody, a moment, or a link. */
const Angle = ({ content, snapshot }: { readonly content: string; readonly snapshot: Snapshot }) => {
  const [target = '', label] = content.split('|')
  if (target.startsWith('@')) {
    const known = [snapshot.bot, ...snapshot.people].find(({ id }) => id === target.slice(1))
    return <span className="mention">@{known?.name ?? label ?? target.slice(1)}</span>
  }
  if (target.startsWith('#')) {
    const known = snapshot.channels.find(({ id }) => id === target.slice(1))
    return <span className="mention">#{known?.name ?? label ?? target.slice(1)}</span>
  }
  if (target.startsWith('!date^')) return <SlackDate content={content} />
  if (target.startsWith('!')) return <span className="mention">@{label ?? target.slice(1)}</span>
  const [, channel, seconds, rest] = toMessage.exec(target) ?? []
  if (channel !== undefined && snapshot.channels.some(({ id }) => id === channel)) {
    return <ThreadLink channel={channel} thread={`${seconds}.${rest}`} text={unescaped(label ?? target)} />
  }
  return /^(https?|mailto):/.test(target) ? (
    <a href={unescaped(target)} target="_blank" rel="noreferrer">
      {unescaped(label ?? target)}
    </a>
  ) : (
    unescaped(`<${content}>`)
  )
}

/** The signs by name that a bot has used here; Slack knows some thousands. */
const emoji: Readonly<Record<string, string>> = {
  ':warning:': '⚠️',
  ':information_source:': 'ℹ️',
  ':white_check_mark:': '✅',
  ':x:': '❌',
  ':bar_chart:': '📊',
  ':calendar:': '📅',
  ':hourglass:': '⌛',
}

/** Slack's own address of a message. */
const toMessage = /^https?:\/\/[^/]+\/archives\/(\w+)\/p(\d+)(\d{6})$/

/** Leads to a thread on this page, as such a link does in Slack. */
const ThreadLink = (props: { readonly channel: string; readonly thread: string; readonly text: string }) => {
  const { snapshot, goTo } = useWorkspace()
  const { channel, thread } = props
  const me = snapshot.people.find(({ id }) => id === snapshot.me)?.handle ?? null
  return (
    <a
      href={addressOf({ me, channel, thread })}
      onClick={event => {
        // With a key held it opens elsewhere, as links do.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        goTo(channel, thread)
      }}
    >
      {props.text}
    </a>
  )
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/:\w+:/g, name => emoji[name] ?? name)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
