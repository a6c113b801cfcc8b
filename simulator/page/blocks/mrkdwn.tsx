import { Fragment, type ReactNode } from 'react'
import type { Snapshot } from '../../shapes/snapshot.ts'
import { useWorkspace } from '../workspace-context.ts'

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

/** What stands between angle brackets: a person, a channel, everybody, or a link. */
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
  if (target.startsWith('!')) return <span className="mention">@{label ?? target.slice(1)}</span>
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
  ':white_check_mark:': '✅',
  ':x:': '❌',
  ':bar_chart:': '📊',
  ':hourglass:': '⌛',
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/:\w+:/g, name => emoji[name] ?? name)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
