import { useEffect, useState } from 'react'
import type { Snapshot } from '../shapes/snapshot.ts'
import { fetchSnapshot } from './call-simulator.ts'

/** What a person sees, kept up to date. `connected` is false while the simulator does not answer. */
export const useSnapshot = (
  me: string | null,
): { readonly snapshot: Snapshot | null; readonly connected: boolean } => {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null)
  const [connected, setConnected] = useState(true)

  useEffect(() => {
    let current = true
    let fetching = false
    let again = false
    const refresh = async (): Promise<void> => {
      if (fetching) {
        again = true
        return
      }
      fetching = true
      try {
        const fetched = await fetchSnapshot(me)
        if (current) setSnapshot(fetched)
      } catch {
        if (current) setConnected(false)
      }
      fetching = false
      if (again && current) {
        again = false
        void refresh()
      }
    }
    const changes = new EventSource('/_simulator/changes')
    changes.onopen = () => setConnected(true)
    changes.onerror = () => setConnected(false)
    changes.onmessage = () => void refresh()
    return () => {
      current = false
      changes.close()
    }
  }, [me])

  return { snapshot, connected }
}
