// swift-format-ignore-file

extension OpenAPIDocument {
  /// `openapi.json`, put here by `scripts/embed-openapi`.
  static let text = ##"""
{
 "openapi": "3.1.0",
 "info": {
  "title": "apnsim control API",
  "version": "1",
  "summary": "See and steer a simulated Apple Push Notification service.",
  "description": "Loopback only unless the simulator listens beyond it, which takes a token. Bodies are JSON of at most 1 MiB, scenarios 16 MiB. Errors are RFC 9457 problems with a JSON pointer to the place and a hint.",
  "license": {
   "name": "Apache-2.0",
   "identifier": "Apache-2.0"
  }
 },
 "servers": [
  {
   "url": "/api/v1"
  }
 ],
 "security": [
  {},
  {
   "bearer": []
  }
 ],
 "tags": [
  {
   "name": "notifications",
   "description": "The inbox of the gateway."
  },
  {
   "name": "journal",
   "description": "What happened."
  },
  {
   "name": "devices",
   "description": "Devices and what they got."
  },
  {
   "name": "feedback",
   "description": "The feedback service."
  },
  {
   "name": "steering",
   "description": "Making things happen."
  },
  {
   "name": "clock",
   "description": "Simulated time."
  },
  {
   "name": "connections",
   "description": "Providers that are or were connected."
  },
  {
   "name": "sandboxes",
   "description": "One test, one sandbox."
  },
  {
   "name": "health",
   "description": "For whoever starts the simulator."
  }
 ],
 "paths": {
  "/notifications": {
   "get": {
    "operationId": "listNotifications",
    "tags": [
     "notifications"
    ],
    "summary": "The notifications in the history, oldest first.",
    "parameters": [
     {
      "name": "query",
      "in": "query",
      "description": "A query in one line: topic:com.example.* alert~\"order\" status:8 !device:bob.",
      "schema": {
       "type": "string",
       "maxLength": 4096
      }
     },
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this one.",
      "schema": {
       "type": "string",
       "pattern": "^n[1-9][0-9]{0,17}$"
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "A page of them.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotificationPage"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearNotifications",
    "tags": [
     "notifications"
    ],
    "summary": "Forget notifications, deliveries and events; devices stay as they are.",
    "responses": {
     "204": {
      "description": "Forgotten."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/notifications": {
   "get": {
    "operationId": "listNotificationsInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "The notifications in the history, oldest first.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "query",
      "in": "query",
      "description": "A query in one line: topic:com.example.* alert~\"order\" status:8 !device:bob.",
      "schema": {
       "type": "string",
       "maxLength": 4096
      }
     },
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this one.",
      "schema": {
       "type": "string",
       "pattern": "^n[1-9][0-9]{0,17}$"
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "A page of them.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotificationPage"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearNotificationsInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "Forget notifications, deliveries and events; devices stay as they are.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Forgotten."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/notifications/wait": {
   "post": {
    "operationId": "waitForNotifications",
    "tags": [
     "notifications"
    ],
    "summary": "Block until a count of matching notifications holds, or cannot hold any more.",
    "parameters": [
     {
      "name": "assert",
      "in": "query",
      "description": "Answer 422 when it is not satisfied.",
      "schema": {
       "type": "boolean",
       "default": false
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/WaitRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "What came of it, satisfied or not.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WaitResult"
        }
       }
      }
     },
     "422": {
      "description": "Not satisfied, with `assert=true`.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WaitResult"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     },
     "503": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/notifications/wait": {
   "post": {
    "operationId": "waitForNotificationsInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "Block until a count of matching notifications holds, or cannot hold any more.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "assert",
      "in": "query",
      "description": "Answer 422 when it is not satisfied.",
      "schema": {
       "type": "boolean",
       "default": false
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/WaitRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "What came of it, satisfied or not.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WaitResult"
        }
       }
      }
     },
     "422": {
      "description": "Not satisfied, with `assert=true`.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/WaitResult"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     },
     "503": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/notifications/{id}": {
   "get": {
    "operationId": "getNotification",
    "tags": [
     "notifications"
    ],
    "summary": "One notification.",
    "parameters": [
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The notification.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Notification"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/notifications/{id}": {
   "get": {
    "operationId": "getNotificationInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "One notification.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The notification.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Notification"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/notifications/{id}/raw": {
   "get": {
    "operationId": "getNotificationFrame",
    "tags": [
     "notifications"
    ],
    "summary": "The frame as it was sent.",
    "parameters": [
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The frame.",
      "content": {
       "application/octet-stream": {}
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/notifications/{id}/raw": {
   "get": {
    "operationId": "getNotificationFrameInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "The frame as it was sent.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The frame.",
      "content": {
       "application/octet-stream": {}
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/notifications/{id}/hex": {
   "get": {
    "operationId": "getNotificationHex",
    "tags": [
     "notifications"
    ],
    "summary": "The frame for people, field by field.",
    "parameters": [
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Lines of offset, bytes, field, meaning.",
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/notifications/{id}/hex": {
   "get": {
    "operationId": "getNotificationHexInSandbox",
    "tags": [
     "notifications"
    ],
    "summary": "The frame for people, field by field.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "id",
      "in": "path",
      "required": true,
      "description": "A notification's id, such as n57.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Lines of offset, bytes, field, meaning.",
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/events": {
   "get": {
    "operationId": "streamEvents",
    "tags": [
     "journal"
    ],
    "summary": "The journal as server-sent events: `id` is the sequence number, `event` the name, `data` the journal line. A `gap` event tells of records that had left the history.",
    "parameters": [
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this sequence number; the header `Last-Event-ID` says the same. From now on without either.",
      "schema": {
       "type": "integer",
       "minimum": 0
      }
     },
     {
      "name": "query",
      "in": "query",
      "description": "A query in one line: topic:com.example.* alert~\"order\" status:8 !device:bob.",
      "schema": {
       "type": "string",
       "maxLength": 4096
      }
     },
     {
      "name": "Last-Event-ID",
      "in": "header",
      "description": "Where a reader left off.",
      "schema": {
       "type": "integer",
       "minimum": 0
      }
     }
    ],
    "responses": {
     "200": {
      "description": "A stream without end.",
      "content": {
       "text/event-stream": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "503": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/events": {
   "get": {
    "operationId": "streamEventsInSandbox",
    "tags": [
     "journal"
    ],
    "summary": "The journal as server-sent events: `id` is the sequence number, `event` the name, `data` the journal line. A `gap` event tells of records that had left the history.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this sequence number; the header `Last-Event-ID` says the same. From now on without either.",
      "schema": {
       "type": "integer",
       "minimum": 0
      }
     },
     {
      "name": "query",
      "in": "query",
      "description": "A query in one line: topic:com.example.* alert~\"order\" status:8 !device:bob.",
      "schema": {
       "type": "string",
       "maxLength": 4096
      }
     },
     {
      "name": "Last-Event-ID",
      "in": "header",
      "description": "Where a reader left off.",
      "schema": {
       "type": "integer",
       "minimum": 0
      }
     }
    ],
    "responses": {
     "200": {
      "description": "A stream without end.",
      "content": {
       "text/event-stream": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "503": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/capture": {
   "get": {
    "operationId": "getCapture",
    "tags": [
     "journal"
    ],
    "summary": "The journal so far, as a capture file.",
    "responses": {
     "200": {
      "description": "A header, then one JSON object a line.",
      "content": {
       "application/x-ndjson": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/capture": {
   "get": {
    "operationId": "getCaptureInSandbox",
    "tags": [
     "journal"
    ],
    "summary": "The journal so far, as a capture file.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "A header, then one JSON object a line.",
      "content": {
       "application/x-ndjson": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/metrics": {
   "get": {
    "operationId": "getMetrics",
    "tags": [
     "journal"
    ],
    "summary": "Counters and gauges for Prometheus.",
    "responses": {
     "200": {
      "description": "Text format 0.0.4.",
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/metrics": {
   "get": {
    "operationId": "getMetricsInSandbox",
    "tags": [
     "journal"
    ],
    "summary": "Counters and gauges for Prometheus.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Text format 0.0.4.",
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/advice": {
   "get": {
    "operationId": "listAdvice",
    "tags": [
     "journal"
    ],
    "summary": "What providers could do better.",
    "responses": {
     "200": {
      "description": "By provider.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "advice": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Advice"
           }
          }
         },
         "required": [
          "advice"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/advice": {
   "get": {
    "operationId": "listAdviceInSandbox",
    "tags": [
     "journal"
    ],
    "summary": "What providers could do better.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "By provider.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "advice": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Advice"
           }
          }
         },
         "required": [
          "advice"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices": {
   "get": {
    "operationId": "listDevices",
    "tags": [
     "devices"
    ],
    "summary": "The devices that have a name.",
    "responses": {
     "200": {
      "description": "By name.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "devices": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Device"
           }
          }
         },
         "required": [
          "devices"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices": {
   "get": {
    "operationId": "listDevicesInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "The devices that have a name.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "By name.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "devices": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Device"
           }
          }
         },
         "required": [
          "devices"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}": {
   "get": {
    "operationId": "getDevice",
    "tags": [
     "devices"
    ],
    "summary": "One device.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "operationId": "putDevice",
    "tags": [
     "devices"
    ],
    "summary": "Add a device, or make it what the body says.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/DeviceRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "It was there.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "201": {
      "description": "It was added.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "patch": {
    "operationId": "patchDevice",
    "tags": [
     "devices"
    ],
    "summary": "Change what the body names.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/DeviceRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "removeDevice",
    "tags": [
     "devices"
    ],
    "summary": "Remove a device with everything of it.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}": {
   "get": {
    "operationId": "getDeviceInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "One device.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "operationId": "putDeviceInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Add a device, or make it what the body says.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/DeviceRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "It was there.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "201": {
      "description": "It was added.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "patch": {
    "operationId": "patchDeviceInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Change what the body names.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/DeviceRequest"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "removeDeviceInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Remove a device with everything of it.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/online": {
   "post": {
    "operationId": "bringDeviceOnline",
    "tags": [
     "devices"
    ],
    "summary": "Bring a device online; what waited is delivered.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/online": {
   "post": {
    "operationId": "bringDeviceOnlineInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Bring a device online; what waited is delivered.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/offline": {
   "post": {
    "operationId": "takeDeviceOffline",
    "tags": [
     "devices"
    ],
    "summary": "Take a device offline.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/offline": {
   "post": {
    "operationId": "takeDeviceOfflineInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Take a device offline.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/install": {
   "post": {
    "operationId": "installApp",
    "tags": [
     "devices"
    ],
    "summary": "Install an app, or all that the device had.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Installation"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/install": {
   "post": {
    "operationId": "installAppInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Install an app, or all that the device had.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Installation"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/uninstall": {
   "post": {
    "operationId": "uninstallApp",
    "tags": [
     "devices"
    ],
    "summary": "Remove an app, or all: the device refuses what comes for it.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Installation"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/uninstall": {
   "post": {
    "operationId": "uninstallAppInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "Remove an app, or all: the device refuses what comes for it.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Installation"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Device"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/inbox": {
   "get": {
    "operationId": "getInbox",
    "tags": [
     "devices"
    ],
    "summary": "What was delivered to a device, oldest first.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "As far as the history reaches.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Inbox"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/inbox": {
   "get": {
    "operationId": "getInboxInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "What was delivered to a device, oldest first.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "As far as the history reaches.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Inbox"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/devices/{device}/stored": {
   "get": {
    "operationId": "getStored",
    "tags": [
     "devices"
    ],
    "summary": "What waits for a device: at most one of each app.",
    "parameters": [
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "What waits.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Inbox"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/devices/{device}/stored": {
   "get": {
    "operationId": "getStoredInSandbox",
    "tags": [
     "devices"
    ],
    "summary": "What waits for a device: at most one of each app.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "device",
      "in": "path",
      "required": true,
      "description": "A device's name, or a token of it in hex digits.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "What waits.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Inbox"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/feedback": {
   "get": {
    "operationId": "listFeedback",
    "tags": [
     "feedback"
    ],
    "summary": "The tuples that wait to be read.",
    "parameters": [
     {
      "name": "topic",
      "in": "query",
      "description": "Of this app only.",
      "schema": {
       "type": "string"
      }
     },
     {
      "name": "environment",
      "in": "query",
      "description": "Of this environment only.",
      "schema": {
       "type": "string",
       "description": "The environment.",
       "enum": [
        "production",
        "sandbox"
       ]
      }
     }
    ],
    "responses": {
     "200": {
      "description": "By app; 10,000 at most.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "tuples": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Tuple"
           }
          }
         },
         "required": [
          "tuples"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "operationId": "addFeedback",
    "tags": [
     "feedback"
    ],
    "summary": "Add a tuple.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/TupleRequest"
       }
      }
     }
    },
    "responses": {
     "204": {
      "description": "Added."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearFeedback",
    "tags": [
     "feedback"
    ],
    "summary": "Empty the lists.",
    "parameters": [
     {
      "name": "topic",
      "in": "query",
      "description": "Of this app only.",
      "schema": {
       "type": "string"
      }
     },
     {
      "name": "environment",
      "in": "query",
      "description": "Of this environment only.",
      "schema": {
       "type": "string",
       "description": "The environment.",
       "enum": [
        "production",
        "sandbox"
       ]
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Emptied."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/feedback": {
   "get": {
    "operationId": "listFeedbackInSandbox",
    "tags": [
     "feedback"
    ],
    "summary": "The tuples that wait to be read.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "topic",
      "in": "query",
      "description": "Of this app only.",
      "schema": {
       "type": "string"
      }
     },
     {
      "name": "environment",
      "in": "query",
      "description": "Of this environment only.",
      "schema": {
       "type": "string",
       "description": "The environment.",
       "enum": [
        "production",
        "sandbox"
       ]
      }
     }
    ],
    "responses": {
     "200": {
      "description": "By app; 10,000 at most.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "tuples": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Tuple"
           }
          }
         },
         "required": [
          "tuples"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "operationId": "addFeedbackInSandbox",
    "tags": [
     "feedback"
    ],
    "summary": "Add a tuple.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/TupleRequest"
       }
      }
     }
    },
    "responses": {
     "204": {
      "description": "Added."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearFeedbackInSandbox",
    "tags": [
     "feedback"
    ],
    "summary": "Empty the lists.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "topic",
      "in": "query",
      "description": "Of this app only.",
      "schema": {
       "type": "string"
      }
     },
     {
      "name": "environment",
      "in": "query",
      "description": "Of this environment only.",
      "schema": {
       "type": "string",
       "description": "The environment.",
       "enum": [
        "production",
        "sandbox"
       ]
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Emptied."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/feedback/reads": {
   "get": {
    "operationId": "listFeedbackReads",
    "tags": [
     "feedback"
    ],
    "summary": "Who read what when.",
    "parameters": [
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this sequence number.",
      "schema": {
       "type": "integer",
       "minimum": 0,
       "maximum": 9223372036854775806
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Oldest first.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "reads": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/FeedbackRead"
           }
          },
          "next": {
           "type": [
            "string",
            "null"
           ],
           "description": "The cursor to go on after."
          }
         },
         "required": [
          "reads",
          "next"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/feedback/reads": {
   "get": {
    "operationId": "listFeedbackReadsInSandbox",
    "tags": [
     "feedback"
    ],
    "summary": "Who read what when.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "after",
      "in": "query",
      "description": "Go on after this sequence number.",
      "schema": {
       "type": "integer",
       "minimum": 0,
       "maximum": 9223372036854775806
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Oldest first.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "reads": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/FeedbackRead"
           }
          },
          "next": {
           "type": [
            "string",
            "null"
           ],
           "description": "The cursor to go on after."
          }
         },
         "required": [
          "reads",
          "next"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/faults": {
   "get": {
    "operationId": "listFaults",
    "tags": [
     "steering"
    ],
    "summary": "The rules, in the order they are tried.",
    "responses": {
     "200": {
      "description": "Those added last first.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "faults": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Fault"
           }
          },
          "state": {
           "type": [
            "string",
            "null"
           ],
           "description": "Of the script."
          }
         },
         "required": [
          "faults",
          "state"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "operationId": "addFault",
    "tags": [
     "steering"
    ],
    "summary": "Add a rule before all others.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/FaultRequest"
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "It was added.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Fault"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearFaults",
    "tags": [
     "steering"
    ],
    "summary": "Remove all rules.",
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/faults": {
   "get": {
    "operationId": "listFaultsInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "The rules, in the order they are tried.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "Those added last first.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "faults": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Fault"
           }
          },
          "state": {
           "type": [
            "string",
            "null"
           ],
           "description": "Of the script."
          }
         },
         "required": [
          "faults",
          "state"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "operationId": "addFaultInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "Add a rule before all others.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/FaultRequest"
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "It was added.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Fault"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "clearFaultsInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "Remove all rules.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/faults/{fault}": {
   "get": {
    "operationId": "getFault",
    "tags": [
     "steering"
    ],
    "summary": "One rule and how often it fired.",
    "parameters": [
     {
      "name": "fault",
      "in": "path",
      "required": true,
      "description": "A fault's id, such as r1, or its name.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The rule.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Fault"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "removeFault",
    "tags": [
     "steering"
    ],
    "summary": "Remove a rule.",
    "parameters": [
     {
      "name": "fault",
      "in": "path",
      "required": true,
      "description": "A fault's id, such as r1, or its name.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/faults/{fault}": {
   "get": {
    "operationId": "getFaultInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "One rule and how often it fired.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "fault",
      "in": "path",
      "required": true,
      "description": "A fault's id, such as r1, or its name.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The rule.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Fault"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "removeFaultInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "Remove a rule.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "fault",
      "in": "path",
      "required": true,
      "description": "A fault's id, such as r1, or its name.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Removed."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/scenario": {
   "get": {
    "operationId": "getScenario",
    "tags": [
     "steering"
    ],
    "summary": "What the simulator was last begun from.",
    "responses": {
     "200": {
      "description": "The scenario.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Scenario"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "operationId": "putScenario",
    "tags": [
     "steering"
    ],
    "summary": "Begin another scenario: a reset into it.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Scenario"
       }
      },
      "application/yaml": {
       "schema": {
        "type": "string"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The scenario.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Scenario"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/scenario": {
   "get": {
    "operationId": "getScenarioInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "What the simulator was last begun from.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The scenario.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Scenario"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "operationId": "putScenarioInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "Begin another scenario: a reset into it.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Scenario"
       }
      },
      "application/yaml": {
       "schema": {
        "type": "string"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The scenario.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Scenario"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/reset": {
   "post": {
    "operationId": "reset",
    "tags": [
     "steering"
    ],
    "summary": "Back to the state just after start. Connections stay open; numbers go on counting.",
    "responses": {
     "204": {
      "description": "Done."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/reset": {
   "post": {
    "operationId": "resetInSandbox",
    "tags": [
     "steering"
    ],
    "summary": "Back to the state just after start. Connections stay open; numbers go on counting.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Done."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/clock": {
   "get": {
    "operationId": "getClock",
    "tags": [
     "clock"
    ],
    "summary": "The simulated time.",
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/clock": {
   "get": {
    "operationId": "getClockInSandbox",
    "tags": [
     "clock"
    ],
    "summary": "The simulated time.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/clock/advance": {
   "post": {
    "operationId": "advanceClock",
    "tags": [
     "clock"
    ],
    "summary": "Move the clock on, through everything that is due.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "properties": {
         "by": {
          "type": "string",
          "description": "A length of time: 300ms, 5s, 10m, 2h, 28d, 1h30m.",
          "examples": [
           "2h"
          ]
         }
        },
        "required": [
         "by"
        ],
        "additionalProperties": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/clock/advance": {
   "post": {
    "operationId": "advanceClockInSandbox",
    "tags": [
     "clock"
    ],
    "summary": "Move the clock on, through everything that is due.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "properties": {
         "by": {
          "type": "string",
          "description": "A length of time: 300ms, 5s, 10m, 2h, 28d, 1h30m.",
          "examples": [
           "2h"
          ]
         }
        },
        "required": [
         "by"
        ],
        "additionalProperties": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/clock/set": {
   "post": {
    "operationId": "setClock",
    "tags": [
     "clock"
    ],
    "summary": "Set the clock.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "properties": {
         "to": {
          "type": "string",
          "description": "RFC 3339, UTC, of the simulator's clock.",
          "examples": [
           "2012-06-01T00:00:00.000Z"
          ]
         }
        },
        "required": [
         "to"
        ],
        "additionalProperties": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/clock/set": {
   "post": {
    "operationId": "setClockInSandbox",
    "tags": [
     "clock"
    ],
    "summary": "Set the clock.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "object",
        "properties": {
         "to": {
          "type": "string",
          "description": "RFC 3339, UTC, of the simulator's clock.",
          "examples": [
           "2012-06-01T00:00:00.000Z"
          ]
         }
        },
        "required": [
         "to"
        ],
        "additionalProperties": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/clock/freeze": {
   "post": {
    "operationId": "freezeClock",
    "tags": [
     "clock"
    ],
    "summary": "Stop the clock.",
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/clock/freeze": {
   "post": {
    "operationId": "freezeClockInSandbox",
    "tags": [
     "clock"
    ],
    "summary": "Stop the clock.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/clock/resume": {
   "post": {
    "operationId": "resumeClock",
    "tags": [
     "clock"
    ],
    "summary": "Let the clock run on.",
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/clock/resume": {
   "post": {
    "operationId": "resumeClockInSandbox",
    "tags": [
     "clock"
    ],
    "summary": "Let the clock run on.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The clock.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Clock"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/connections": {
   "get": {
    "operationId": "listConnections",
    "tags": [
     "connections"
    ],
    "summary": "Connections that are open or still remembered.",
    "parameters": [
     {
      "name": "open",
      "in": "query",
      "description": "Open ones only.",
      "schema": {
       "type": "boolean",
       "default": false
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The last ones, in the order they came.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "connections": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Connection"
           }
          }
         },
         "required": [
          "connections"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/connections": {
   "get": {
    "operationId": "listConnectionsInSandbox",
    "tags": [
     "connections"
    ],
    "summary": "Connections that are open or still remembered.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "open",
      "in": "query",
      "description": "Open ones only.",
      "schema": {
       "type": "boolean",
       "default": false
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "At most so many.",
      "schema": {
       "type": "integer",
       "minimum": 1,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The last ones, in the order they came.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "connections": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Connection"
           }
          }
         },
         "required": [
          "connections"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/connections/{connection}": {
   "get": {
    "operationId": "getConnection",
    "tags": [
     "connections"
    ],
    "summary": "One connection with its resend report.",
    "parameters": [
     {
      "name": "connection",
      "in": "path",
      "required": true,
      "description": "A connection's id, such as c3.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The connection.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ConnectionDetail"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "endConnection",
    "tags": [
     "connections"
    ],
    "summary": "End a connection.",
    "parameters": [
     {
      "name": "connection",
      "in": "path",
      "required": true,
      "description": "A connection's id, such as c3.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "mode",
      "in": "query",
      "description": "fin: close_notify and FIN; rst: a reset; shutdown: status 10 with the last accepted identifier.",
      "schema": {
       "type": "string",
       "enum": [
        "fin",
        "rst",
        "shutdown"
       ],
       "default": "fin"
      }
     }
    ],
    "responses": {
     "204": {
      "description": "It is being ended."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}/connections/{connection}": {
   "get": {
    "operationId": "getConnectionInSandbox",
    "tags": [
     "connections"
    ],
    "summary": "One connection with its resend report.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "connection",
      "in": "path",
      "required": true,
      "description": "A connection's id, such as c3.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The connection.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ConnectionDetail"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "endConnectionInSandbox",
    "tags": [
     "connections"
    ],
    "summary": "End a connection.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "connection",
      "in": "path",
      "required": true,
      "description": "A connection's id, such as c3.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     },
     {
      "name": "mode",
      "in": "query",
      "description": "fin: close_notify and FIN; rst: a reset; shutdown: status 10 with the last accepted identifier.",
      "schema": {
       "type": "string",
       "enum": [
        "fin",
        "rst",
        "shutdown"
       ],
       "default": "fin"
      }
     }
    ],
    "responses": {
     "204": {
      "description": "It is being ended."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes": {
   "get": {
    "operationId": "listSandboxes",
    "tags": [
     "sandboxes"
    ],
    "summary": "The sandboxes.",
    "responses": {
     "200": {
      "description": "In the order they were made.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object",
         "properties": {
          "sandboxes": {
           "type": "array",
           "items": {
            "$ref": "#/components/schemas/Sandbox"
           }
          }
         },
         "required": [
          "sandboxes"
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "operationId": "makeSandbox",
    "tags": [
     "sandboxes"
    ],
    "summary": "Make a simulator of its own, with its own ports, in the same process. The body is its scenario; every other path is there for it under its `base`.",
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Scenario"
       }
      },
      "application/yaml": {
       "schema": {
        "type": "string"
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "It was made.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Sandbox"
        }
       }
      },
      "headers": {
       "Location": {
        "description": "Where it is.",
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "413": {
      "$ref": "#/components/responses/Problem"
     },
     "415": {
      "$ref": "#/components/responses/Problem"
     },
     "503": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/sandboxes/{sandbox}": {
   "get": {
    "operationId": "getSandbox",
    "tags": [
     "sandboxes"
    ],
    "summary": "One sandbox.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The sandbox.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Sandbox"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "operationId": "endSandbox",
    "tags": [
     "sandboxes"
    ],
    "summary": "End a sandbox and drain its connections.",
    "parameters": [
     {
      "name": "sandbox",
      "in": "path",
      "required": true,
      "description": "A sandbox's id, such as s1.",
      "schema": {
       "type": "string",
       "minLength": 1
      }
     }
    ],
    "responses": {
     "204": {
      "description": "Ended."
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/openapi.json": {
   "get": {
    "operationId": "getDocument",
    "tags": [
     "journal"
    ],
    "summary": "This document.",
    "responses": {
     "200": {
      "description": "OpenAPI 3.1.",
      "content": {
       "application/json": {
        "schema": {
         "type": "object"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/Problem"
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/livez": {
   "servers": [
    {
     "url": "/"
    }
   ],
   "get": {
    "operationId": "getLiveness",
    "tags": [
     "health"
    ],
    "summary": "Whether the process serves.",
    "security": [
     {}
    ],
    "responses": {
     "200": {
      "description": "Yes.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Health"
        }
       }
      }
     }
    }
   }
  },
  "/readyz": {
   "servers": [
    {
     "url": "/"
    }
   ],
   "get": {
    "operationId": "getReadiness",
    "tags": [
     "health"
    ],
    "summary": "Whether every listener is bound.",
    "security": [
     {}
    ],
    "responses": {
     "200": {
      "description": "Yes.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Health"
        }
       }
      }
     },
     "503": {
      "description": "No; what is missing.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Health"
        }
       }
      }
     }
    }
   }
  }
 },
 "components": {
  "schemas": {
   "Problem": {
    "type": "object",
    "properties": {
     "type": {
      "type": "string"
     },
     "title": {
      "type": "string",
      "description": "What kind of problem it is, the same words each time."
     },
     "status": {
      "type": "integer"
     },
     "detail": {
      "type": "string",
      "description": "What was expected and what was found."
     },
     "pointer": {
      "type": "string",
      "description": "Where in the body, as a JSON pointer, or the name of a query parameter."
     },
     "line": {
      "type": "integer",
      "description": "In a body that is a text of lines."
     },
     "column": {
      "type": "integer",
      "description": "In a text, from 1."
     },
     "hint": {
      "type": "string",
      "description": "What to do."
     },
     "others": {
      "type": "array",
      "items": {
       "type": "object",
       "properties": {
        "detail": {
         "type": "string"
        },
        "pointer": {
         "type": "string"
        },
        "line": {
         "type": "integer"
        },
        "column": {
         "type": "integer"
        }
       },
       "required": [
        "detail"
       ]
      }
     }
    },
    "required": [
     "type",
     "title",
     "status",
     "detail"
    ],
    "description": "RFC 9457."
   },
   "Explanation": {
    "type": "object",
    "properties": {
     "check": {
      "type": "string",
      "description": "What was checked or done."
     },
     "ok": {
      "type": "boolean"
     },
     "detail": {
      "type": "string"
     },
     "hint": {
      "type": "string"
     }
    },
    "required": [
     "check",
     "ok"
    ]
   },
   "Notification": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string",
      "description": "The notification's number.",
      "pattern": "^n[0-9]+$"
     },
     "seq": {
      "type": "integer",
      "description": "Its place in the total order."
     },
     "time": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "connection": {
      "type": "string",
      "pattern": "^c[0-9]+$"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "topic": {
      "type": "string",
      "description": "The topic of its provider's certificate."
     },
     "token": {
      "type": "string",
      "description": "The token as sent, in hex digits."
     },
     "device": {
      "type": [
       "string",
       "null"
      ],
      "description": "The device's name, or its token where it has none."
     },
     "command": {
      "type": "integer",
      "description": "0, 1 or 2.",
      "minimum": 0,
      "maximum": 255
     },
     "identifier": {
      "type": [
       "string",
       "null"
      ],
      "description": "The four bytes as sent; null for command 0.",
      "pattern": "^[0-9a-f]{8}$"
     },
     "expiry": {
      "type": [
       "integer",
       "null"
      ],
      "description": "Seconds since 1970, as sent."
     },
     "priority": {
      "type": "integer"
     },
     "payload": {
      "description": "The payload as JSON; null where it is not JSON."
     },
     "payloadBase64": {
      "type": "string",
      "description": "The payload's bytes as sent."
     },
     "payloadSize": {
      "type": "integer",
      "description": "As declared, which may be more than arrived."
     },
     "outcome": {
      "type": "string",
      "enum": [
       "delivered",
       "stored",
       "replaced",
       "expired",
       "notStored",
       "refused",
       "dropped",
       "rejected",
       "discarded"
      ]
     },
     "status": {
      "type": "integer",
      "description": "Of the error response; 0 without one.",
      "minimum": 0,
      "maximum": 255
     },
     "explain": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Explanation"
      }
     },
     "raw": {
      "type": "string",
      "description": "The frame as sent, in Base64."
     },
     "read": {
      "type": "integer",
      "description": "Which read of its connection brought it; absent under a virtual clock."
     }
    },
    "required": [
     "id",
     "seq",
     "time",
     "connection",
     "environment",
     "topic",
     "token",
     "device",
     "command",
     "identifier",
     "expiry",
     "priority",
     "payload",
     "payloadBase64",
     "payloadSize",
     "outcome",
     "status",
     "explain"
    ]
   },
   "NotificationPage": {
    "type": "object",
    "properties": {
     "notifications": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Notification"
      }
     },
     "next": {
      "type": [
       "string",
       "null"
      ],
      "description": "The cursor to go on after; null at the end."
     }
    },
    "required": [
     "notifications",
     "next"
    ]
   },
   "Matcher": {
    "description": "A plain value, or operators that must all hold. `matches` takes a regular expression without back references and look around.",
    "oneOf": [
     {
      "type": [
       "string",
       "number",
       "boolean"
      ]
     },
     {
      "type": "object",
      "properties": {
       "equals": {},
       "contains": {
        "type": "string"
       },
       "startsWith": {
        "type": "string"
       },
       "like": {
        "type": "string",
        "description": "`*` is any run of characters."
       },
       "matches": {
        "type": "string",
        "maxLength": 1000
       },
       "exists": {
        "type": "boolean"
       },
       "gt": {
        "type": "number"
       },
       "lt": {
        "type": "number"
       },
       "size": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
       }
      },
      "required": [],
      "additionalProperties": false
     }
    ]
   },
   "Where": {
    "type": "object",
    "description": "Conditions on fields of the notification object, all of which must hold; `payload` has dotted paths into it, and `payload.aps.badge` is one.",
    "properties": {
     "id": {
      "$ref": "#/components/schemas/Matcher"
     },
     "topic": {
      "$ref": "#/components/schemas/Matcher"
     },
     "environment": {
      "$ref": "#/components/schemas/Matcher"
     },
     "device": {
      "$ref": "#/components/schemas/Matcher"
     },
     "token": {
      "$ref": "#/components/schemas/Matcher"
     },
     "connection": {
      "$ref": "#/components/schemas/Matcher"
     },
     "identifier": {
      "$ref": "#/components/schemas/Matcher"
     },
     "command": {
      "$ref": "#/components/schemas/Matcher"
     },
     "priority": {
      "$ref": "#/components/schemas/Matcher"
     },
     "expiry": {
      "$ref": "#/components/schemas/Matcher"
     },
     "outcome": {
      "$ref": "#/components/schemas/Matcher"
     },
     "status": {
      "$ref": "#/components/schemas/Matcher"
     },
     "payloadSize": {
      "$ref": "#/components/schemas/Matcher"
     },
     "payload": {
      "type": "object",
      "additionalProperties": {
       "$ref": "#/components/schemas/Matcher"
      }
     }
    },
    "patternProperties": {
     "^payload\\..+": {
      "$ref": "#/components/schemas/Matcher"
     }
    },
    "additionalProperties": false
   },
   "Count": {
    "description": "A number is `exactly`.",
    "oneOf": [
     {
      "type": "integer",
      "minimum": 0,
      "maximum": 2147483647
     },
     {
      "const": "never"
     },
     {
      "type": "object",
      "properties": {
       "exactly": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
       },
       "atLeast": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
       },
       "atMost": {
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647
       },
       "never": {
        "const": true
       }
      },
      "required": [],
      "additionalProperties": false
     }
    ]
   },
   "WaitRequest": {
    "type": "object",
    "properties": {
     "where": {
      "$ref": "#/components/schemas/Where"
     },
     "query": {
      "type": "string",
      "description": "The same in one line.",
      "maxLength": 4096,
      "examples": [
       "topic:com.example.* alert~\"order\""
      ]
     },
     "count": {
      "$ref": "#/components/schemas/Count"
     },
     "never": {
      "type": "boolean"
     },
     "timeout": {
      "type": "string",
      "description": "At most 10m.",
      "examples": [
       "2h"
      ],
      "default": "5s"
     },
     "quietFor": {
      "type": "string",
      "description": "Only satisfied once no further one has matched for so long.",
      "examples": [
       "2h"
      ]
     },
     "since": {
      "type": "string",
      "description": "Count only what came after this notification, or from now on.",
      "pattern": "^(now|n[0-9]{1,18})$"
     }
    },
    "required": [],
    "additionalProperties": false
   },
   "Difference": {
    "type": "object",
    "properties": {
     "path": {
      "type": "string"
     },
     "expected": {
      "type": "string"
     },
     "actual": {
      "description": "null where there is nothing."
     }
    },
    "required": [
     "path",
     "expected",
     "actual"
    ]
   },
   "NearMiss": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string"
     },
     "differences": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Difference"
      }
     }
    },
    "required": [
     "id",
     "differences"
    ]
   },
   "WaitResult": {
    "type": "object",
    "properties": {
     "satisfied": {
      "type": "boolean"
     },
     "expected": {
      "type": "string",
      "description": "The count that was asked for."
     },
     "matched": {
      "type": "integer"
     },
     "waited": {
      "type": "string",
      "examples": [
       "5.0s"
      ]
     },
     "notifications": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Notification"
      }
     },
     "nearMisses": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/NearMiss"
      }
     }
    },
    "required": [
     "satisfied",
     "expected",
     "matched",
     "waited",
     "notifications",
     "nearMisses"
    ]
   },
   "App": {
    "type": "object",
    "properties": {
     "topic": {
      "type": "string"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "token": {
      "type": "string",
      "description": "Hex digits."
     },
     "installed": {
      "type": "boolean"
     },
     "issued": {
      "type": "boolean",
      "description": "Whether this simulator issued the token."
     },
     "badge": {
      "type": "integer"
     },
     "registeredAt": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "stored": {
      "type": [
       "string",
       "null"
      ],
      "description": "The notification that waits."
     }
    },
    "required": [
     "topic",
     "environment",
     "token",
     "installed",
     "issued",
     "badge",
     "registeredAt",
     "stored"
    ]
   },
   "Device": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     },
     "online": {
      "type": "boolean"
     },
     "apps": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/App"
      }
     },
     "languages": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "connection": {
      "type": [
       "string",
       "null"
      ],
      "description": "Its connection to the device port."
     }
    },
    "required": [
     "name",
     "online",
     "apps",
     "languages",
     "connection"
    ]
   },
   "DeviceRequest": {
    "type": "object",
    "properties": {
     "online": {
      "type": "boolean"
     },
     "apps": {
      "type": "array",
      "items": {
       "oneOf": [
        {
         "type": "string",
         "description": "The app's bundle ID.",
         "minLength": 1,
         "maxLength": 255,
         "examples": [
          "com.example.app"
         ]
        },
        {
         "type": "object",
         "properties": {
          "topic": {
           "type": "string",
           "description": "The app's bundle ID.",
           "minLength": 1,
           "maxLength": 255,
           "examples": [
            "com.example.app"
           ]
          },
          "environment": {
           "type": "string",
           "enum": [
            "production",
            "sandbox",
            "both"
           ]
          },
          "token": {
           "oneOf": [
            {
             "type": "string",
             "description": "Hex digits.",
             "pattern": "^([0-9a-fA-F]{2})+$",
             "minLength": 2,
             "maxLength": 200
            },
            {
             "const": "issued"
            }
           ],
           "description": "Absent: issued."
          },
          "installed": {
           "type": "boolean"
          }
         },
         "required": [
          "topic"
         ],
         "additionalProperties": false
        }
       ]
      }
     },
     "token": {
      "oneOf": [
       {
        "type": "string",
        "description": "Hex digits.",
        "pattern": "^([0-9a-fA-F]{2})+$",
        "minLength": 2,
        "maxLength": 200
       },
       {
        "const": "issued"
       }
      ],
      "description": "For all its apps."
     },
     "installed": {
      "type": "boolean"
     },
     "languages": {
      "type": "array",
      "items": {
       "type": "string",
       "examples": [
        "fr"
       ]
      }
     }
    },
    "required": [],
    "additionalProperties": false
   },
   "Installation": {
    "type": "object",
    "properties": {
     "topic": {
      "type": "string",
      "description": "The app's bundle ID.",
      "minLength": 1,
      "maxLength": 255,
      "examples": [
       "com.example.app"
      ]
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "token": {
      "type": "string",
      "description": "Hex digits.",
      "pattern": "^([0-9a-fA-F]{2})+$",
      "minLength": 2,
      "maxLength": 200
     }
    },
    "required": [],
    "additionalProperties": false,
    "description": "Nothing: all apps of the device."
   },
   "DeviceNotification": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string"
     },
     "time": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "topic": {
      "type": "string"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "identifier": {
      "type": [
       "string",
       "null"
      ]
     },
     "until": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "payload": {},
     "payloadBase64": {
      "type": "string"
     },
     "payloadSize": {
      "type": "integer"
     },
     "presentation": {
      "description": "What the user would see and hear.",
      "type": [
       "object",
       "null"
      ]
     }
    },
    "required": [
     "id",
     "time",
     "topic",
     "environment",
     "identifier",
     "payload",
     "payloadBase64",
     "payloadSize",
     "presentation"
    ]
   },
   "Inbox": {
    "type": "object",
    "properties": {
     "notifications": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/DeviceNotification"
      }
     }
    },
    "required": [
     "notifications"
    ]
   },
   "Tuple": {
    "type": "object",
    "properties": {
     "topic": {
      "type": "string"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "token": {
      "type": "string",
      "description": "Hex digits."
     },
     "timestamp": {
      "type": "integer",
      "description": "Seconds since 1970."
     }
    },
    "required": [
     "topic",
     "environment",
     "token",
     "timestamp"
    ]
   },
   "TupleRequest": {
    "type": "object",
    "properties": {
     "topic": {
      "type": "string",
      "description": "The app's bundle ID.",
      "minLength": 1,
      "maxLength": 255,
      "examples": [
       "com.example.app"
      ]
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "token": {
      "type": "string",
      "description": "Hex digits.",
      "pattern": "^([0-9a-fA-F]{2})+$",
      "minLength": 2,
      "maxLength": 200
     },
     "device": {
      "type": "string",
      "description": "Instead of a token."
     },
     "timestamp": {
      "type": "integer",
      "description": "Seconds since 1970.",
      "minimum": 0,
      "maximum": 4294967295
     },
     "at": {
      "type": "string",
      "description": "Instead of a timestamp.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "after": {
      "type": "string",
      "description": "Listed only then.",
      "examples": [
       "2h"
      ]
     }
    },
    "required": [
     "topic"
    ],
    "additionalProperties": false
   },
   "FeedbackRead": {
    "type": "object",
    "properties": {
     "seq": {
      "type": "integer"
     },
     "time": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "connection": {
      "type": "string"
     },
     "topic": {
      "type": "string"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "subject": {
      "type": [
       "string",
       "null"
      ],
      "description": "Of the reader's certificate."
     },
     "tuples": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Tuple"
      }
     }
    },
    "required": [
     "seq",
     "time",
     "connection",
     "topic",
     "environment",
     "subject",
     "tuples"
    ]
   },
   "Fault": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^r[0-9]+$"
     },
     "name": {
      "type": [
       "string",
       "null"
      ]
     },
     "kind": {
      "type": "string"
     },
     "matched": {
      "type": "integer"
     },
     "fired": {
      "type": "integer"
     },
     "times": {
      "type": [
       "integer",
       "null"
      ]
     },
     "spent": {
      "type": "boolean"
     }
    },
    "required": [
     "id",
     "name",
     "kind",
     "matched",
     "fired",
     "times",
     "spent"
    ]
   },
   "FaultRequest": {
    "type": "object",
    "description": "A rule as a scenario's `rules` have it: what to look at in `when` (or `where`), and one of `reply`, `fault` and `proceed`.",
    "properties": {
     "name": {
      "type": "string"
     },
     "when": {
      "type": "object"
     },
     "where": {
      "type": "object"
     },
     "reply": {
      "type": [
       "object",
       "integer",
       "string"
      ]
     },
     "fault": {
      "type": [
       "object",
       "string"
      ]
     },
     "proceed": {
      "type": "boolean"
     },
     "times": {
      "type": "integer",
      "minimum": 1
     },
     "after": {
      "type": "integer",
      "minimum": 0
     },
     "every": {
      "type": "integer",
      "minimum": 1
     },
     "probability": {
      "type": "number",
      "minimum": 0,
      "maximum": 1
     },
     "state": {
      "type": "object"
     }
    },
    "additionalProperties": false,
    "examples": [
     {
      "when": {
       "nth": 3
      },
      "reply": {
       "status": 8
      }
     },
     {
      "fault": {
       "reset": {
        "afterBytes": 40
       }
      },
      "times": 1
     }
    ]
   },
   "Clock": {
    "type": "object",
    "properties": {
     "now": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "mode": {
      "type": "string",
      "enum": [
       "real",
       "virtual"
      ]
     },
     "running": {
      "type": "boolean"
     }
    },
    "required": [
     "now",
     "mode",
     "running"
    ]
   },
   "ErrorResponse": {
    "type": "object",
    "properties": {
     "status": {
      "type": "integer"
     },
     "identifier": {
      "type": "string"
     },
     "at": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     }
    },
    "required": [
     "status",
     "identifier",
     "at"
    ]
   },
   "Connection": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string"
     },
     "listener": {
      "type": "string",
      "enum": [
       "gateway",
       "feedback",
       "device"
      ]
     },
     "open": {
      "type": "boolean"
     },
     "peer": {
      "type": "string"
     },
     "openedAt": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "closedAt": {
      "type": [
       "string",
       "null"
      ],
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "closing": {
      "type": [
       "string",
       "null"
      ],
      "description": "How it ended."
     },
     "provider": {
      "type": "object",
      "properties": {
       "topic": {
        "type": "string"
       },
       "environment": {
        "type": "string",
        "description": "The environment.",
        "enum": [
         "production",
         "sandbox"
        ]
       },
       "subject": {
        "type": "string"
       }
      },
      "required": [
       "topic",
       "environment",
       "subject"
      ]
     },
     "tls": {
      "type": "object",
      "properties": {
       "version": {
        "type": "string"
       },
       "cipher": {
        "type": "string"
       }
      },
      "required": [
       "version",
       "cipher"
      ]
     },
     "received": {
      "type": "integer"
     },
     "accepted": {
      "type": "integer"
     },
     "rejected": {
      "type": "integer"
     },
     "discarded": {
      "type": "integer"
     },
     "tuplesRead": {
      "type": "integer",
      "description": "On a feedback connection."
     },
     "error": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/ErrorResponse"
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "required": [
     "id",
     "listener",
     "open",
     "peer",
     "openedAt",
     "closedAt",
     "closing",
     "provider",
     "tls",
     "received",
     "accepted",
     "rejected",
     "discarded",
     "tuplesRead",
     "error"
    ]
   },
   "ConnectionDetail": {
    "allOf": [
     {
      "$ref": "#/components/schemas/Connection"
     },
     {
      "type": "object",
      "properties": {
       "resend": {
        "type": "object",
        "properties": {
         "failed": {
          "type": "array",
          "items": {
           "type": "string"
          },
          "description": "What the error response named."
         },
         "discarded": {
          "type": "array",
          "items": {
           "type": "string"
          },
          "description": "What was written behind it."
         },
         "resent": {
          "type": "array",
          "items": {
           "type": "string"
          },
          "description": "Of those, what came again."
         },
         "lost": {
          "type": "array",
          "items": {
           "type": "string"
          },
          "description": "And what has not."
         }
        },
        "required": [
         "failed",
         "discarded",
         "resent",
         "lost"
        ]
       }
      },
      "required": [
       "resend"
      ]
     }
    ]
   },
   "Advice": {
    "type": "object",
    "properties": {
     "kind": {
      "type": "string"
     },
     "severity": {
      "type": "string"
     },
     "environment": {
      "type": "string",
      "description": "The environment.",
      "enum": [
       "production",
       "sandbox"
      ]
     },
     "topic": {
      "type": "string"
     },
     "count": {
      "type": "integer"
     },
     "first": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "last": {
      "type": "string",
      "description": "RFC 3339, UTC, of the simulator's clock.",
      "examples": [
       "2012-06-01T00:00:00.000Z"
      ]
     },
     "text": {
      "type": "string"
     },
     "guide": {
      "type": "object",
      "properties": {
       "sentence": {
        "type": "string"
       },
       "source": {
        "type": "string"
       }
      },
      "required": [
       "sentence",
       "source"
      ]
     }
    },
    "required": [
     "kind",
     "severity",
     "environment",
     "topic",
     "count",
     "first",
     "last",
     "text",
     "guide"
    ]
   },
   "Scenario": {
    "type": "object",
    "description": "A scenario, as files have it."
   },
   "Health": {
    "type": "object",
    "properties": {
     "ok": {
      "type": "boolean"
     },
     "missing": {
      "type": "array",
      "items": {
       "type": "string",
       "description": "A listener that does not accept."
      }
     }
    },
    "required": [
     "ok",
     "missing"
    ]
   },
   "Sandbox": {
    "type": "object",
    "properties": {
     "id": {
      "type": "string",
      "pattern": "^s[0-9]+$"
     },
     "base": {
      "type": "string",
      "description": "Where its resources are."
     },
     "seed": {
      "type": "integer"
     },
     "version": {
      "type": "integer"
     },
     "pid": {
      "type": "integer"
     },
     "host": {
      "type": "string"
     },
     "gateway": {
      "type": "integer",
      "description": "Port."
     },
     "feedback": {
      "type": "integer",
      "description": "Port."
     },
     "sandboxGateway": {
      "type": "integer"
     },
     "sandboxFeedback": {
      "type": "integer"
     },
     "device": {
      "type": "integer"
     },
     "control": {
      "type": "string"
     },
     "ca": {
      "type": "string"
     },
     "providerCertificate": {
      "type": "string"
     },
     "providerKey": {
      "type": "string"
     },
     "providerP12": {
      "type": "string"
     }
    },
    "required": [
     "id",
     "base",
     "seed",
     "version",
     "host",
     "gateway",
     "feedback",
     "control",
     "ca",
     "providerCertificate",
     "providerKey",
     "providerP12"
    ]
   }
  },
  "responses": {
   "Problem": {
    "description": "Why not.",
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   }
  },
  "securitySchemes": {
   "bearer": {
    "type": "http",
    "scheme": "bearer",
    "description": "What --control-token says."
   }
  }
 }
}
"""##
}
