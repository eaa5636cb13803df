// The statuses of the binary interface, by Apple's names.
export const statuses = {
  1: 'Processing error', 2: 'Missing device token', 3: 'Missing topic', 4: 'Missing payload', 5: 'Invalid token size',
  6: 'Invalid topic size', 7: 'Invalid payload size', 8: 'Invalid token', 10: 'Shutdown', 128: 'Protocol error', 255: 'Unknown',
};

export function statusName(status) { return statuses[status] ?? 'status not in the table'; }

// The answer to a provider that was refused without one, in the words of the API's verdict.
export const closed = 'closed, no error response';

// `8 Invalid token`.
export function refusal(status) { return status ? `${status} ${statusName(status)}` : closed; }
