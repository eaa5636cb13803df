// Pushes with Node's http2 over one connection: node push.mjs ORIGIN CA [CERTIFICATE KEY]
//
// Each line of the standard input is a request, fields between tabs: method, path, body, then `name: value`. All of them
// are begun at once; each line that is printed is the answer to the request of that line: status, apns-id and body, or
// "error" and why.
import { connect } from "node:http2";
import { readFileSync } from "node:fs";

const [origin, ca, certificate, key] = process.argv.slice(2);
const identity = certificate ? { cert: readFileSync(certificate), key: readFileSync(key) } : {};
const session = connect(origin, { ca: readFileSync(ca), ...identity });
session.on("error", () => {}); // Each stream tells.

function push([method, path, body, ...fields]) {
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/s, 2)));
  return new Promise((resolve) => {
    const stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: method === "GET" });
    let answer = {};
    const received = [];
    stream.on("response", (headers) => (answer = headers));
    stream.on("data", (bytes) => received.push(bytes));
    stream.on("error", (error) => resolve(`error\t${error.message}`));
    stream.on("end", () => resolve(`${answer[":status"]}\t${answer["apns-id"]}\t${Buffer.concat(received)}`));
    if (method !== "GET") stream.end(body);
  });
}

const requests = readFileSync(0, "utf8").split("\n").filter((line) => line).map((line) => line.split("\t"));
const answers = await Promise.all(requests.map(push));
console.log(answers.join("\n"));
session.close();
