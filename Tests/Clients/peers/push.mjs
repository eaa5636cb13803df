// Pushes with Node's http2 over one connection: node push.mjs ORIGIN CA [CERTIFICATE KEY]
//
// Each line of the standard input is a request, fields between tabs: method, path, body, then `name: value`. The requests
// before an empty line, or the end, are begun at once and answered before anything else is read; each line that is printed
// is the answer to the request of that line: status, apns-id and body, or "error" and why.
import { connect } from "node:http2";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [origin, ca, certificate, key] = process.argv.slice(2);
const identity = certificate ? { cert: readFileSync(certificate), key: readFileSync(key) } : {};
const session = connect(origin, { ca: readFileSync(ca), ...identity });
session.on("error", () => {}); // Each stream tells.

function push([method, path, body, ...fields]) {
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/s, 2)));
  return new Promise((resolve) => {
    let stream;
    try {
      stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: method === "GET" });
    } catch (error) {
      return resolve(`error\t${error.message}`);
    }
    let answer = {};
    const received = [];
    stream.on("response", (headers) => (answer = headers));
    stream.on("data", (bytes) => received.push(bytes));
    stream.on("error", (error) => resolve(`error\t${error.message}`));
    stream.on("end", () => resolve(!answer[":status"] ? "error\tno answer" : `${answer[":status"]}\t${answer["apns-id"]}\t${Buffer.concat(received)}`));
    if (method !== "GET") stream.end(body);
  });
}

async function answer(requests) {
  const answers = await Promise.all(requests.map(push));
  if (answers.length) console.log(answers.join("\n"));
}

let requests = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line) {
    requests.push(line.split("\t"));
  } else {
    await answer(requests);
    requests = [];
  }
}
await answer(requests);
session.close();
