import { useCallback, useEffect, useState } from 'react'

/** Where one is on the page, and who one is: as in its address, so that a link or a reload leads there. */
interface PlaceOnPage {
  /** A handle, which stays the same when the simulator restarts. */
  readonly me: string | null
  /** Id of a channel; null for the first one. */
  readonly channel: string | null
  /** `ts` of the first message of the open thread. */
  readonly thread: string | null
}

const names = ['me', 'channel', 'thread'] as const

/** The place, and the way to another one. The browser's *back* leads to the one before. */
export const usePlace = (): readonly [PlaceOnPage, (to: Partial<PlaceOnPage>) => void] => {
  const [place, setPlace] = useState(readAddress)

  useEffect(() => {
    const read = (): void => setPlace(readAddress())
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])

  const move = useCallback((to: Partial<PlaceOnPage>): void => {
    const next = { ...readAddress(), ...to }
    history.pushState(null, '', addressOf(next))
    setPlace(next)
  }, [])
  return [place, move]
}

/** The address of a place, without the host. */
export const addressOf = (place: PlaceOnPage): string => {
  const params = new URLSearchParams(names.flatMap(name => (place[name] ? [[name, place[name]]] : [])))
  return `?${params}`
}

const readAddress = (): PlaceOnPage => {
  const params = new URLSearchParams(location.search)
  return { me: params.get('me'), channel: params.get('channel'), thread: params.get('thread') }
}
