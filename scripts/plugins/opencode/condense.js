// Shortens what OpenCode sends to the model by condense, without a model. Before each request
// OpenCode hands over the messages; what is saved stays as it is. Once the conversation has
// reached a share of the context window, condense shortens it, and the result is sent in its
// place from then on, so that the prompt cache holds. On any failure nothing changes, and
// OpenCode compacts as it does without this plugin.
import { spawn } from 'node:child_process'

const TIME_LIMIT = 30_000 // milliseconds

// condensed runs condense and returns its standard output.
function condensed(command, args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { timeout: TIME_LIMIT })
    let out = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    child.stderr.setEncoding('utf8').on('data', text => (errors += text))
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve(out) : reject(new Error(`condense ended with ${code}: ${errors.split('\n')[0]}`))))
    child.stdin.on('error', () => {}) // a child that ended early has an exit code
    child.stdin.end(input)
  })
}

// windowOf returns the context window of the model that the newest message of the user names,
// in tokens. It keeps answers in known.
async function windowOf(client, messages, known) {
  const { model } = messages.findLast(m => m.info.role === 'user').info
  const name = `${model.providerID}/${model.modelID}`
  if (!known.has(name)) {
    const { data } = await client.config.providers()
    known.set(name, data.providers.find(p => p.id === model.providerID).models[model.modelID].limit.context)
  }
  return known.get(name)
}

// shortened returns the condensed messages, the same objects where nothing changed, or
// undefined if there is no need to act yet.
async function shortened(messages, window, options) {
  const input = JSON.stringify({ info: { id: messages[0].info.sessionID }, messages })
  if (input.length < window / 4) return undefined // far below any threshold
  const args = [
    'run', '-q', '--config', 'none', '--format', 'opencode', '--window', String(window), '--threshold', String(options.threshold ?? 60),
    '--target', options.target ?? '50%', '--min-gain', '10%', ...(options.flags ?? []), '-',
  ]
  const output = await condensed(options.command ?? 'condense', args, input)
  if (output.trim() === input) return undefined
  const before = new Map(messages.map(m => [m.info.id, m]))
  return JSON.parse(output).messages.map(m => {
    const own = before.get(m.info.id)
    return own && JSON.stringify(own) === JSON.stringify(m) ? own : m
  })
}

export const Condense = async ({ client }, options = {}) => {
  const sent = new Map() // session: the ids of the messages that were condensed, and what is sent in their place
  const windows = new Map() // model: tokens

  return {
    'experimental.chat.messages.transform': async (_, { messages }) => {
      if (messages.length === 0) return
      try {
        const session = messages[0].info.sessionID
        const old = sent.get(session)
        const holds = old?.ids.every((id, i) => messages[i]?.info.id === id)
        const list = holds ? [...old.messages, ...messages.slice(old.ids.length)] : messages
        const window = options.window ?? (await windowOf(client, messages, windows))
        const next = await shortened(list, window, options)
        if (next) sent.set(session, { ids: messages.map(m => m.info.id), messages: next })
        if (next || holds) messages.splice(0, messages.length, ...(next ?? list))
      } catch (err) {
        await client.app.log({ body: { service: 'condense', level: 'warn', message: `nothing was shortened: ${err.message}` } }).catch(() => {})
      }
    },
  }
}
