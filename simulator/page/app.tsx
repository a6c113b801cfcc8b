import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RecordedMessage } from '../shapes/message.ts'
import { Announcer } from './announcer.tsx'
import { callSimulator } from './call-simulator.ts'
import { ChannelPane } from './channel-pane.tsx'
import { ModalWindow } from './modal-window.tsx'
import { Sidebar } from './sidebar.tsx'
import { ThreadPane } from './thread-pane.tsx'
import { usePlace } from './use-place.ts'
import { useReadMarks } from './use-read-marks.ts'
import { useSnapshot } from './use-snapshot.ts'
import { WorkspaceContext, type WorkspaceOnPage } from './workspace-context.ts'

/** How long a line about a problem stays. */
const TOLD_MS = 6_000

/** The page: banner, channels, one channel, one thread, and the open modal. */
export const App = () => {
  const [place, move] = usePlace()
  const [writesInThread, setWritesInThread] = useState(false)
  const threadOpener = useRef<Element | null>(null)
  const [showChannels, setShowChannels] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { snapshot, connected } = useSnapshot(place.me)

  useEffect(() => {
    if (problem === null) return
    const timer = setTimeout(() => setProblem(null), TOLD_MS)
    return () => clearTimeout(timer)
  }, [problem])

  const current = snapshot?.me
  const act = useCallback<WorkspaceOnPage['act']>(
    async (action, body) => {
      try {
        return await callSimulator(action, { by: current, ...body })
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error))
        return null
      }
    },
    [current],
  )
  const goTo = useCallback<WorkspaceOnPage['goTo']>(
    (channel, thread) => {
      move({ channel, thread })
      setWritesInThread(thread !== null)
      setShowChannels(false)
    },
    [move],
  )
  const workspace = useMemo(
    () => (snapshot ? { snapshot, act, tell: setProblem, goTo } : null),
    [snapshot, act, goTo],
  )
  // Of a place that is no longer there, the first channel is shown.
  const known = snapshot?.channels.find(channel => channel.id === place.channel)
  const channel = known ?? snapshot?.channels[0]
  const threadTs = known ? place.thread : null
  const unread = useReadMarks(snapshot, { channel: channel?.id ?? null, thread: threadTs })
  if (!workspace || !snapshot) return <p className="starting">Connecting to the simulator …</p>

  /** Direct messages are somebody's own. */
  const become = (handle: string): void =>
    move(channel?.kind === 'direct' ? { me: handle, channel: null, thread: null } : { me: handle })
  const openThread = (ts: string, writes: boolean): void => {
    threadOpener.current = document.activeElement
    move({ channel: channel?.id ?? null, thread: ts })
    setWritesInThread(writes)
  }
  const closeThread = (): void => {
    // On a narrow screen the channel can take the focus only once it is in sight again.
    flushSync(() => move({ thread: null }))
    if (threadOpener.current instanceof HTMLElement) threadOpener.current.focus()
  }
  /** A person who asks the bot wants to see the thread in which it answers. */
  const posted = (message: RecordedMessage): void => {
    const toBot = channel?.kind === 'direct' || message.text.includes(`<@${snapshot.bot.id}>`)
    if (toBot && message.threadTs === null) openThread(message.ts, false)
  }

  return (
    <WorkspaceContext value={workspace}>
      <div className="page" data-thread={threadTs !== null} data-channels={showChannels}>
        <div className="banner" role="note">
          <strong>Simulator, not Slack.</strong>
          <span className="banner-more">Nothing here leaves this machine.</span>
          {snapshot.problems > 0 && (
            <a href="/_simulator/problems" target="_blank" rel="noreferrer">
              {snapshot.problems} {snapshot.problems === 1 ? 'problem' : 'problems'} with what the bot sent
            </a>
          )}
          {!connected && <span role="alert">The simulator does not answer.</span>}
        </div>
        <Sidebar
          current={channel?.id ?? ''}
          unread={unread}
          onChannel={id => goTo(id, null)}
          onPerson={become}
          onToggle={() => setShowChannels(shown => !shown)}
        />
        {channel && (
          <ChannelPane
            key={channel.id}
            channel={channel}
            openThread={threadTs}
            unread={unread}
            onThread={ts => openThread(ts, true)}
            onPosted={posted}
            onChannels={() => setShowChannels(true)}
          />
        )}
        {channel && threadTs !== null && (
          <ThreadPane
            key={threadTs}
            channel={channel}
            threadTs={threadTs}
            focused={writesInThread}
            onClose={closeThread}
          />
        )}
        {channel && <Announcer channel={channel.id} />}
        {snapshot.modal && <ModalWindow key={snapshot.modal.id} open={snapshot.modal} />}
        {problem !== null && (
          <div className="problem" role="alert">
            {problem}
          </div>
        )}
      </div>
    </WorkspaceContext>
  )
}
