/** What a socket tells of itself: the events of Slack's Socket Mode client. */
export interface SocketEvents {
  on(event: 'connected' | 'reconnecting' | 'disconnecting' | 'disconnected', hear: () => void): unknown
}

/** Follows a socket. The returned function tells whether it is connected now. */
export const trackConnection = (socket: SocketEvents): (() => boolean) => {
  let isConnected = false
  socket.on('connected', () => {
    isConnected = true
  })
  for (const event of ['reconnecting', 'disconnecting', 'disconnected'] as const) {
    socket.on(event, () => {
      isConnected = false
    })
  }
  return () => isConnected
}
