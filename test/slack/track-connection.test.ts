import { SocketModeReceiver } from '@slack/bolt'
import { expect, it } from 'vitest'
import { trackConnection } from '../../src/slack/receivers.ts'

it('follows whether the socket is connected', () => {
  // The client of the platform itself, which nobody connects: what it says is said here.
  const { client } = new SocketModeReceiver({ appToken: 'xapp-test' })
  const isConnected = trackConnection(client)
  expect(isConnected()).toBe(false)
  client.emit('connecting')
  expect(isConnected()).toBe(false)
  client.emit('connected')
  expect(isConnected()).toBe(true)
  client.emit('reconnecting')
  expect(isConnected()).toBe(false)
  client.emit('connected')
  expect(isConnected()).toBe(true)
  client.emit('disconnected')
  expect(isConnected()).toBe(false)
})
