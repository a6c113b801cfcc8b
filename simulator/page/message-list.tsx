import { type ReactNode, useEffect, useRef } from 'react'

/** Within this distance of its end a list follows what is new. */
const NEAR_END = 160

/** Messages one below the other; stays at the end unless somebody has scrolled up to read. */
export const MessageList = ({
  label,
  latest,
  children,
}: {
  readonly label: string
  readonly latest: string
  readonly children: ReactNode
}) => {
  const list = useRef<HTMLDivElement>(null)
  const followed = useRef(true)
  const lastSeen = useRef('')

  useEffect(() => {
    const element = list.current
    if (!element) return
    // What is in the list grows too: a table takes the place of a line.
    const follow = (): void => {
      if (followed.current) element.scrollTop = element.scrollHeight
    }
    const watcher = new ResizeObserver(follow)
    for (const child of element.children) watcher.observe(child)
    if (latest !== lastSeen.current) followed.current = true
    lastSeen.current = latest
    follow()
    return () => watcher.disconnect()
  })

  return (
    <div
      className="messages"
      ref={list}
      role="log"
      aria-label={label}
      // The announcer says what is new, once; the list would repeat whole tables.
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        followed.current = scrollHeight - scrollTop - clientHeight < NEAR_END
      }}
    >
      <div className="messages-inner">{children}</div>
    </div>
  )
}
