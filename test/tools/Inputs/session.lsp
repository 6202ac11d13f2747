{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":1,"rootPath":"fly","capabilities":{},"trace":"off"}}
// -----
{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///good.mlir","languageId":"mlir","version":1,"text":"fly.kernel @g(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)\n    variants [#fly.variant<\"v\", schedule \"double_buffer\", tile 128x128x64, waves 2x2>] {\n  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>\n}"}}}
// -----
{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"test:///good.mlir"},"position":{"line":2,"character":4}}}
// -----
{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///bad.mlir","languageId":"mlir","version":1,"text":"fly.kernel @g(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)\n    variants [#fly.variant<\"v\", tile 128x128x64, waves 2x2>] {\n  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>\n}"}}}
// -----
{"jsonrpc":"2.0","id":3,"method":"shutdown"}
// -----
{"jsonrpc":"2.0","method":"exit"}
