import { useEffect, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Channel } from '../shapes/people.ts'
import { Composer } from './composer.tsx'
import { HomeTab } from './home-tab.tsx'
import { Message } from './message.tsx'
import { MessageList } from './message-list.tsx'
import type { Unread } from './use-read-marks.ts'
import { useWorkspace } from './workspace-context.ts'

/** One channel or the direct messages with the bot, which have a Home tab beside them. */
export const ChannelPane = (props: {
  readonly channel: Channel
  readonly openThread: string | null
  readonly unread: Unread
  onThread(ts: string): void
  onPosted(message: RecordedMessage): void
  onChannels(): void
}) => {
  const { channel } = props
  const { snapshot, act } = useWorkspace()
  const [tab, setTab] = useState<'messages' | 'home'>('messages')
  const messages = snapshot.messages.filter(message => message.channel === channel.id)
  const firsts = messages.filter(message => message.threadTs === null || message.threadTs === message.ts)
  const repliesTo = (ts: string): readonly RecordedMessage[] =>
    messages.filter(message => message.threadTs === ts && message.ts !== ts && message.onlyFor === null)
  const open = (chosen: 'messages' | 'home'): void => {
    setTab(chosen)
    void act('home', { tab: chosen })
  }
  // Slack tells the bot when somebody opens their direct messages with it.
  useEffect(() => {
    if (channel.kind === 'direct') void act('home', { tab: 'messages' })
  }, [channel.kind, act])
  const suggested = snapshot.prompts.find(({ channel: id }) => id === channel.id)
  const ask = async (text: string): Promise<void> => {
    const posted = await act<RecordedMessage>('post', { in: channel.id, text })
    if (posted) props.onPosted(posted)
  }
  const title = channel.kind === 'direct' ? channel.name : `# ${channel.name}`

  return (
    <main className="pane channel-pane" aria-label={title}>
      <header className="pane-header">
        <button
          type="button"
          className="plain only-narrow"
          onClick={props.onChannels}
          aria-label="Show channels"
        >
          ☰
        </button>
        <h1>{title}</h1>
        {channel.kind === 'direct' && (
          <div className="tabs" role="tablist" aria-label={channel.name}>
            {(['messages', 'home'] as const).map(name => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={tab === name}
                tabIndex={tab === name ? 0 : -1}
                onClick={() => open(name)}
                onKeyDown={({ key, currentTarget }) => {
                  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
                  const other = currentTarget.nextElementSibling ?? currentTarget.previousElementSibling
                  if (other instanceof HTMLElement) other.focus()
                  open(name === 'home' ? 'messages' : 'home')
                }}
              >
                {name === 'home' ? 'Home' : 'Messages'}
              </button>
            ))}
          </div>
        )}
      </header>
      {tab === 'home' ? (
        <HomeTab />
      ) : (
        <>
          <MessageList label={`Messages of ${channel.name}`} latest={firsts.at(-1)?.ts ?? ''}>
            {firsts.length === 0 && <Start channel={channel} bot={snapshot.bot.handle} />}
            {firsts.map(message => (
              <Message
                key={message.ts}
                message={message}
                replies={repliesTo(message.ts)}
                unread={props.unread.thread(channel.id, message.ts)}
                selected={message.ts === props.openThread}
                onThread={() => props.onThread(message.ts)}
              />
            ))}
          </MessageList>
          {suggested && (
            <section className="prompts" aria-label={suggested.title ?? 'Suggested questions'}>
              <h2>{suggested.title}</h2>
              {suggested.prompts.map(prompt => (
                <button
                  key={prompt.message}
                  type="button"
                  className="button"
                  onClick={() => void ask(prompt.message)}
                >
                  {prompt.title}
                </button>
              ))}
            </section>
          )}
          <Composer
            channel={channel}
            threadTs={null}
            placeholder={channel.kind === 'direct' ? `Ask ${channel.name}` : `Message #${channel.name}`}
            focused={false}
            onPosted={props.onPosted}
          />
        </>
      )}
    </main>
  )
}

const Start = ({ channel, bot }: { readonly channel: Channel; readonly bot: string }) => (
  <div className="start">
    {channel.kind === 'direct' ? (
      <p>Ask a question. The answer comes in a thread.</p>
    ) : (
      <p>
        Nobody has written here yet. Mention <b>@{bot}</b> with a question; the answer comes in a thread.
      </p>
    )}
  </div>
)
